import NetCore
import NetSocketCore

/// Both ends of a delivery and the messages in transit between them: a state of an exploration.
struct DeliveryPair: Hashable {
    enum Step: CaseIterable {
        case clientSays, serverSays, reachesServer, reachesClient, cut, connect, clientAcknowledges, serverAcknowledges
        case serverForgets
    }

    private static let limits = SocketDelivery(maximumCount: 2)
    private var client = DeliveryMachine(limits)
    private var server = DeliveryMachine(limits)
    private var isConnected = false
    /// True if the end knows the epoch of this connection and numbers its messages.
    private var clientAgreed = false
    private var serverAgreed = false
    private var toServer: [WireSignal] = []
    private var toClient: [WireSignal] = []
    private var epochs = 0
    private(set) var said: [UInt64] = []
    private(set) var pushed: [UInt64] = []
    private(set) var heardByServer: [UInt64] = []
    private(set) var heardByClient: [UInt64] = []
    private(set) var lostByClient: Set<UInt64> = []
    private(set) var lostByServer: Set<UInt64> = []
    private(set) var hasForgotten = false
    private(set) var faults: [String] = []

    /// Performs a step. Returns false if it isn't possible now.
    mutating func perform(_ step: Step) -> Bool {
        switch step {
        case .clientSays:
            guard clientAgreed, client.hasRoom(for: 1) else { return false }
            said.append(UInt64(said.count))
            toServer.append(client.number(.cancel(.number(UInt64(said.count - 1))), bytes: 1))
        case .serverSays:
            guard server.epoch != nil, server.hasRoom(for: 1) else { return false }
            pushed.append(UInt64(pushed.count))
            let signal = server.number(.cancel(.number(UInt64(pushed.count - 1))), bytes: 1)
            if serverAgreed { toClient.append(signal) }
        case .reachesServer:
            guard !toServer.isEmpty else { return false }
            let signal = toServer.removeFirst()
            do { try heardByServer(signal) } catch { faults.append("\(error)") }
        case .reachesClient:
            guard !toClient.isEmpty else { return false }
            let signal = toClient.removeFirst()
            do { try heardByClient(signal) } catch { faults.append("\(error)") }
        case .cut:
            guard isConnected else { return false }
            cut()
        case .connect:
            guard !isConnected else { return false }
            isConnected = true
            toServer = [.resume(client.resume(session: "s"))]
        case .clientAcknowledges:
            guard clientAgreed, let number = client.takeAcknowledgment() else { return false }
            toServer.append(.acknowledge(number))
        case .serverAcknowledges:
            guard serverAgreed, let number = server.takeAcknowledgment() else { return false }
            toClient.append(.acknowledge(number))
        case .serverForgets:
            guard server.epoch != nil else { return false }
            cut()
            lostByServer.formUnion(Self.numbers(server.reset()))
            hasForgotten = true
        }
        return true
    }

    private mutating func cut() {
        (isConnected, clientAgreed, serverAgreed, toServer, toClient) = (false, false, false, [], [])
    }

    private mutating func heardByServer(_ signal: WireSignal) throws {
        switch signal {
        case .resume(let resume):
            epochs += 1
            let (answer, agreement) = server.accept(resume, next: "\(epochs)")
            lostByServer.formUnion(Self.numbers(agreement.lost))
            serverAgreed = true
            toClient = [.resumed(answer)] + agreement.again
        case .acknowledge(let number): try server.acknowledge(upTo: number)
        case .numbered(let number, let inner):
            if try server.receive(number) { heardByServer += Self.numbers([inner]) }
        default: faults.append("the server heard \(signal)")
        }
    }

    private mutating func heardByClient(_ signal: WireSignal) throws {
        switch signal {
        case .resumed(let answer):
            let agreement = try client.resumed(answer)
            lostByClient.formUnion(Self.numbers(agreement.lost))
            clientAgreed = true
            toServer += agreement.again
        case .acknowledge(let number): try client.acknowledge(upTo: number)
        case .numbered(let number, let inner):
            if try client.receive(number) { heardByClient += Self.numbers([inner]) }
        default: faults.append("the client heard \(signal)")
        }
    }

    private static func numbers(_ signals: [WireSignal]) -> [UInt64] {
        signals.compactMap { signal in
            if case .cancel(.number(let number)) = signal { number } else { nil }
        }
    }

    // MARK: Rules

    /// Returns the problems of this state, and those of the state it reaches if nothing else is lost.
    func problems() -> [String] {
        var settled = self
        settled.settle()
        var problems = settled.faults
        for (name, said, heard, lost) in [
            ("server", settled.said, settled.heardByServer, settled.lostByClient),
            ("client", settled.pushed, settled.heardByClient, settled.lostByServer),
        ] {
            if heard != heard.sorted() || Set(heard).count != heard.count {
                problems.append("the \(name) has heard \(heard)")
            }
            if Set(heard).union(lost) != Set(said) {
                problems.append("of \(said), the \(name) has heard \(heard), and \(lost) are told as lost")
            }
            if !hasForgotten, heard != said { problems.append("of \(said), the \(name) has heard \(heard)") }
        }
        return problems
    }

    /// Connects, and lets all messages arrive.
    private mutating func settle() {
        _ = perform(.connect)
        while !toServer.isEmpty || !toClient.isEmpty {
            _ = perform(.reachesServer)
            _ = perform(.reachesClient)
            _ = perform(.clientAcknowledges)
            _ = perform(.serverAcknowledges)
        }
    }
}

import Foundation
import NetCore
import NetSocketCore
import NetTesting

/// A session and its server, connected by a network that loses the messages in transit whenever it is cut. Time passes
/// only for the session's timers.
struct DeliveryWorld {
    static let topic = "room"
    let limits = SocketDelivery(maximumCount: 8, maximumBytes: 400, acknowledgmentCount: 3)
    private let random: SeededRandom
    private let isNumbered: Bool
    private(set) var session: SessionHarness
    private var wires: (client: any WireMachine, server: any WireMachine)
    private var toServer: [WebSocketMessage] = []
    private var toClient: [WebSocketMessage] = []
    /// True if the server has a connection.
    private var isConnected = false
    private var server: DeliveryMachine
    private var isKnown = false
    private var epoch = 0
    private var history: ChannelHistory
    private var isMember = false
    private var isJoined = false

    // The sent and received messages, in order.
    private(set) var said: [Int] = []
    private(set) var pushed: [Int] = []
    private(set) var heardByServer: [Int] = []
    private(set) var heardByClient: [Int] = []
    private(set) var lostByClient: [Int] = []
    private(set) var lostByServer: [Int] = []
    private(set) var cuts = 0
    /// The offsets of the channel's pushes, with 0 for a reported gap.
    private(set) var offsets: [UInt64] = []
    private(set) var faults: [String] = []

    init(seed: UInt64, isNumbered: Bool = true) {
        random = SeededRandom(seed: seed)
        self.isNumbered = isNumbered
        var settings = SessionMachine.Settings(features: SocketWire.numberedJSON.features)
        settings.heartbeatInterval = nil
        settings.maximumQueueCount = 10_000
        if isNumbered { settings.delivery = (limits, "session") }
        session = SessionHarness(settings)
        wires = Self.makeWires()
        server = DeliveryMachine(limits)
        history = ChannelHistory(epoch: "1", maximumCount: 5, maximumBytes: 10_000)
        session.handle(.start)
        perform()
    }

    private static func makeWires() -> (any WireMachine, any WireMachine) {
        var wires = (
            SocketWire.numberedJSON.makeMachine(.client), SocketWire.numberedJSON.makeMachine(.server)
        )
        wires.0.agree(on: SocketWire.numberedJSON.subprotocols[0])
        wires.1.agree(on: SocketWire.numberedJSON.subprotocols[0])
        return wires
    }

    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    // MARK: Steps

    /// Connects, if the session requests it.
    mutating func connect() {
        guard session.connecting != nil else { return }
        (toServer, toClient, wires, isConnected, isMember) = ([], [], Self.makeWires(), true, false)
        session.connect()
        perform()
    }

    /// Ends the connection; some of the messages in transit arrive.
    mutating func cut() {
        guard isConnected else { return }
        deliver(below(toServer.count + 1), below(toClient.count + 1))
        guard isConnected else { return }
        cuts += 1
        disconnect()
        session.lose()
        perform()
    }

    private mutating func disconnect() { (toServer, toClient, isConnected, isMember) = ([], [], false, false) }

    mutating func say() {
        said.append(said.count)
        let ticket = session.machine.makeTicket()
        session.handle(
            .request(
                ticket,
                .init(
                    "say", payload: SocketPayload(json: "\(said.count - 1)"), wantsReply: false, timeout: .seconds(1e9))
            ))
        perform()
    }

    /// The server pushes, unless it already keeps too many messages.
    mutating func push() {
        guard server.hasRoom(for: 10), isKnown else { return }
        pushed.append(pushed.count)
        tellClient(.push(WirePush(event: "push", payload: SocketPayload(json: "\(pushed.count - 1)"))))
    }

    /// The server pushes to the channel.
    mutating func pushToChannel() {
        let push = history.append(WirePush(event: "news", topic: Self.topic))
        if isMember { write(.push(push)) }
    }

    /// Joins the channel; again if its join had no response in time, which was reported to its caller.
    mutating func join() {
        guard !session.machine.hasChannel(Self.topic) else { return }
        offsets.append(0)
        session.handle(.join(session.machine.makeTicket(), topic: Self.topic))
        perform()
    }

    mutating func pause() {
        session.handle(.pause)
        perform()
    }

    mutating func resume() {
        session.handle(.resume)
        perform()
    }

    /// Lets the next timer fire, but never the timeout of a message.
    mutating func passTimer() {
        guard let next = session.timers.values.min(), next < .seconds(1e8) else { return }
        session.passTimer()
        perform()
    }

    /// Restarts the server without its state.
    mutating func forget() {
        cut()
        lostByServer += Self.numbers(server.reset())
        isKnown = false
        history = ChannelHistory(epoch: history.epoch + "1", maximumCount: 5, maximumBytes: 10_000)
    }

    mutating func end() {
        session.handle(.close)
        perform()
        lostByServer += Self.numbers(server.reset())
    }

    /// Delivers the oldest messages in transit.
    mutating func deliver(_ there: Int, _ back: Int) {
        for _ in 0..<there where !toServer.isEmpty { serve(toServer.removeFirst()) }
        for _ in 0..<back where !toClient.isEmpty {
            let message = toClient.removeFirst()
            do {
                for signal in try wires.client.decode(message).signals {
                    session.receive(signal)
                    perform()
                }
            } catch { faults.append("the client can't read: \(error)") }
        }
    }

    /// Connects and delivers until no messages are in transit.
    mutating func settle() {
        for _ in 0..<2000 {
            resume()
            connect()
            while !toServer.isEmpty || !toClient.isEmpty { deliver(toServer.count, toClient.count) }
            passTimer()
            if let number = server.takeAcknowledgment() { write(.acknowledge(number)) }
            if toServer.isEmpty, toClient.isEmpty, server.unacknowledged.isEmpty,
                session.machine.delivery?.unacknowledged.isEmpty != false, session.open != nil
            {
                return
            }
        }
        faults.append("it never comes to rest: \(session.states.suffix(4)) \(session.machine.state)")
    }

    // MARK: The session

    /// Performs the session's effects.
    private mutating func perform() {
        var effects = session.take()[...]
        while let effect = effects.popFirst() {
            switch effect {
            case .send(_, let signal), .notify(_, let signal, _):
                do { toServer += try wires.client.encode(signal) } catch { faults.append("can't write: \(error)") }
            case .close: disconnect()
            case .makeJoinPayload(let id, let topic, let generation):
                session.handle(.joinPayload(id, topic: topic, generation: generation, nil, nil))
                effects += session.take()
            case .tell(let notice): note(notice)
            default: break
            }
        }
        if let delivery = session.machine.delivery, delivery.unacknowledged.count > limits.maximumCount {
            faults.append("the client keeps \(delivery.unacknowledged.count) messages")
        }
    }

    private mutating func note(_ notice: SessionMachine.Notice) {
        switch notice {
        // A push before the response to its join doesn't belong to a join.
        case .push(let push) where push.topic == Self.topic: if isJoined { offsets.append(push.offset ?? 0) }
        case .push(let push): heardByClient.append(Int(push.payload?.json ?? "") ?? -1)
        case .gap: offsets.append(0)
        case .joined(_, _, let missed):
            isJoined = true
            if missed != .nothing { offsets.append(0) }
        case .left: isJoined = false
        case .undelivered(let requests): lostByClient += requests.map { Int($0.payload?.json ?? "") ?? -1 }
        default: break
        }
    }

    // MARK: The server

    private mutating func serve(_ message: WebSocketMessage) {
        do {
            for signal in try wires.server.decode(message).signals { try heard(signal) }
        } catch { faults.append("the server can't read: \(error)") }
    }

    private mutating func heard(_ signal: WireSignal) throws {
        switch signal {
        case .resume(let resume):
            isKnown = true
            epoch += 1
            let (answer, agreement) = server.accept(resume, next: "epoch-\(epoch)")
            lostByServer += Self.numbers(agreement.lost)
            for signal in [.resumed(answer)] + agreement.again { write(signal) }
        case .acknowledge(let number): try server.acknowledge(upTo: number)
        case .numbered(let number, let signal):
            if try server.receive(number) { try heard(signal) }
            if server.mustAcknowledge || below(4) == 0, let number = server.takeAcknowledgment() {
                write(.acknowledge(number))
            }
        case .request(let request):
            heardByServer.append(Int(request.payload?.json ?? "") ?? -1)
            if let id = request.id { tellClient(.reply(WireReply(id: id, .success(nil)))) }
        case .join(let join):
            isMember = true
            let missed = join.position.map { history.pushes(after: $0) }
            write(
                .joined(
                    WireJoined(
                        id: join.id, topic: join.topic, position: history.position,
                        isRecovered: missed.map { $0 != nil },
                        missed: (missed ?? []) ?? [])))
        default: break
        }
    }

    private mutating func tellClient(_ signal: WireSignal) {
        write(isNumbered ? server.number(signal, bytes: 10) : signal)
        if server.unacknowledged.count > limits.maximumCount + 1 { faults.append("the server keeps too much") }
    }

    private mutating func write(_ signal: WireSignal) {
        guard isConnected else { return }
        do { toClient += try wires.server.encode(signal) } catch { faults.append("the server can't write: \(error)") }
    }

    private static func numbers(_ signals: [WireSignal]) -> [Int] {
        signals.compactMap { signal in
            if case .push(let push) = signal { Int(push.payload?.json ?? "") ?? -1 } else { nil }
        }
    }
}

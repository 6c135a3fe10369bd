#if Redis
import NetSocket
import NetSocketCore
import Synchronization

/// A client of the fleet in one room, with everything it has received there.
final class FleetClient: Sendable {
    /// Something that a client received, in order.
    enum Record: Sendable, Hashable {
        case push(UInt64, String)
        /// A notice that pushes are missing.
        case told(String)
    }

    private struct State {
        var records: [Record] = []
        var pushCount = 0
        var replies: [String: Say.Response] = [:]
        var refusals: [String: Int] = [:]
        var reconnects = 0
        var hasJoined = false
        var others: [WirePush] = []
        var presence = PresenceMirror()
    }

    let name: String
    private let server: Home
    let room: String
    let session: SocketClient
    private let state = Mutex(State())

    init(
        _ name: String, home: Int, room: String, _ sockets: WebSocketClient,
        url: @escaping @Sendable (_ home: Int) -> String
    ) {
        self.name = name
        let server = Home(home)
        self.server = server
        self.room = room
        var configuration = SocketClient.Configuration(wire: .numberedJSON, delivery: SocketDelivery())
        configuration.reconnect.backoff = Backoff(base: .milliseconds(50), cap: .milliseconds(500))
        session = SocketClient(client: sockets, configuration: configuration) { _ in
            WebSocketRequest(url: url(server.node))
        }
        let events = session.events(.dropOldest(100_000))
        Task { [weak self] in
            for try await event in events { self?.saw(event) }
        }
        session.start()
    }

    /// The number of its server.
    var home: Int { server.node }

    var records: [Record] { state.withLock { $0.records } }
    var pushCount: Int { state.withLock { $0.pushCount } }
    /// The notices about missing pushes.
    var told: [String] { records.compactMap { if case .told(let text) = $0 { text } else { nil } } }
    /// The positions of its messages, by key.
    var replies: [String: Say.Response] { state.withLock { $0.replies } }
    /// The number of times a message had to be sent again, by reason.
    var refusals: [String: Int] { state.withLock { $0.refusals } }
    var reconnects: Int { state.withLock { $0.reconnects } }
    /// The members that are present, according to this client.
    var present: [String] { state.withLock { $0.presence.names } }
    /// The pushes that belong to no channel.
    var others: [WirePush] { state.withLock { $0.others } }

    /// Uses another server for its next connection.
    func move(to node: Int) { server.node = node }

    func close() { session.close() }

    private func saw(_ event: SocketSessionEvent) {
        state.withLock { state in
            switch event {
            case .push(let push) where push.topic != room: state.others.append(push)
            case .push(let push) where push.event == Said.event:
                state.records.append(.push(push.offset ?? 0, push.payload?.json ?? ""))
                state.pushCount += 1
            case .push(let push): state.presence.saw(push)
            case .joined(_, _, let missed):
                if state.hasJoined, missed != .nothing { state.records.append(.told("joined, missed \(missed)")) }
                state.hasJoined = true
            case .gap: state.records.append(.told("gap"))
            case .interrupted: state.reconnects += 1
            case .left(_, let failure): state.records.append(.told("left: \(failure?.description ?? "")"))
            default: break
            }
        }
    }

    // MARK: Talking

    /// Joins its room; tries again while the server is unavailable.
    func join() async throws {
        for _ in 0..<100 {
            do throws(SocketCommandError) {
                _ = try await session.join(room)
                return
            } catch {
                note(error)
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Failure("\(name) can't join")
    }

    /// Sends a message with a key, repeatedly until the server has confirmed it.
    func say(_ key: String, _ text: String = "") async throws {
        for _ in 0..<1000 {
            if try await sayOnce(key, text) == nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Failure("\(name) can't say \(key): \(refusals)")
    }

    /// Sends a message with a key; returns the code of the rejection or the error, nil if it was confirmed.
    func sayOnce(_ key: String, _ text: String = "") async throws -> String? {
        try Task.checkCancellation()
        do throws(SocketCommandError) {
            let reply = try await session.channel(room).send(Say(key: key, text: text), timeout: .seconds(10))
            state.withLock { $0.replies[key] = reply }
            return nil
        } catch {
            return note(error)
        }
    }

    @discardableResult
    private func note(_ error: SocketCommandError) -> String {
        let reason =
            switch error {
            case .rejected(let failure): failure.code
            case .failed(let error): error.mayHaveArrived ? "lost" : "\(error.code)"
            }
        state.withLock { $0.refusals[reason, default: 0] += 1 }
        return reason
    }
}

/// The server that a client prefers.
private final class Home: Sendable {
    private let number: Mutex<Int>

    init(_ node: Int) { number = Mutex(node) }

    var node: Int {
        get { number.withLock { $0 } }
        set { number.withLock { $0 = newValue } }
    }
}
#endif

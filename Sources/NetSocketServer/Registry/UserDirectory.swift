#if Server
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// The connections of each user on all servers that share an engine. Each server with a connection of a user
/// subscribes to a topic of that user and enters its connections there.
///
/// For each user, one task brings changes to the engine until the engine is up to date. While the engine is away, it
/// retries.
final class UserDirectory: Sendable {
    fileprivate struct Entry {
        var wanted: Set<CallID> = []
        var noted: Set<CallID> = []
        var isSubscribed = false
        var isWorking = false
    }

    fileprivate struct State {
        var users: [String: Entry] = [:]
        var names: [CallID: String] = [:]
    }

    fileprivate enum Step {
        case subscribe
        case unsubscribe
        case enter(CallID)
        case leave(CallID)
    }

    /// The prefix of topics that no channel may have.
    private static let prefix = "\u{1}user:"
    private static let closing = "\u{1}close"
    private static let pause = Duration.seconds(1)

    private let engine: any FanOutEngine
    private let node: String
    private let clock: NetClock
    private let runner: CommandRunner
    private let state = Mutex(State())

    init(_ engine: any FanOutEngine, node: String, clock: NetClock, runner: CommandRunner) {
        self.engine = engine
        self.node = node
        self.clock = clock
        self.runner = runner
    }

    /// True if a topic belongs to the directory.
    static func owns(_ topic: String) -> Bool { topic.utf8.first == 1 }

    // MARK: Connections

    /// Assigns a connection to a user; nil if it has no user, or has ended.
    func note(_ connection: CallID, _ user: String?) {
        let changed = state.withLock { state -> [String] in
            let old = state.names[connection]
            guard old != user else { return [] }
            state.names[connection] = user
            if let old { state.users[old]?.wanted.remove(connection) }
            if let user { state.users[user, default: Entry()].wanted.insert(connection) }
            return [old, user].compactMap { $0 }.filter { name in
                defer { state.users[name]?.isWorking = true }
                return state.users[name]?.isWorking == false
            }
        }
        for user in changed { runner.start(.pool) { await self.work(on: user) } }
    }

    private func work(on user: String) async {
        let topic = Self.prefix + user
        while let step = state.withLock({ $0.nextStep(for: user) }) {
            do {
                switch step {
                case .subscribe: try await engine.subscribe(to: topic)
                case .unsubscribe: try await engine.unsubscribe(from: topic)
                case .enter(let id): try await engine.enter(member(id, user), in: topic)
                case .leave(let id): try await engine.leave(member(id, user), from: topic)
                }
                state.withLock { $0.done(step, for: user) }
            } catch {
                if error.code == .shutdown { return }
                do { try await clock.sleep(for: Self.pause) } catch { return }
            }
        }
    }

    private func member(_ connection: CallID, _ user: String) -> PresenceMember {
        PresenceMember(key: user, connection: connection.description, node: node)
    }

    func members(of user: String) async throws(NetError) -> [PresenceMember] {
        try await engine.members(of: Self.prefix + user)
    }

    // MARK: Messages

    /// Publishes a push to the connections of a user on the other servers.
    func publish(_ push: WirePush, to user: String, except: CallID?) async throws(NetError) {
        let topic = Self.prefix + user
        _ = try await engine.publish(
            FanOutMessage(id: "", node: node, topic: topic, except: except?.description, push: push), keeping: nil)
    }

    /// Closes the connections of a user on the other servers.
    func close(_ user: String, _ code: CloseFrameCode, _ reason: String) async throws(NetError) {
        let order = WirePush(
            event: Self.closing, payload: try SocketPayload(CloseOrder(code: code.code.rawValue, reason: reason)))
        try await publish(order, to: user, except: nil)
    }

    private struct CloseOrder: Codable {
        var code: UInt16
        var reason: String
    }

    /// A request by another server that concerns the connections of a user.
    enum Order: Sendable {
        case push(WirePush, except: String?)
        case close(WebSocketCloseCode, reason: String)
    }

    /// Reads an event of one of the directory's topics; nil if nothing has to be done.
    func order(_ event: FanOutEvent) -> (user: String, Order)? {
        guard case .message(let message) = event, message.node != node else { return nil }
        let user = String(message.topic.dropFirst(Self.prefix.count))
        guard message.push.event == Self.closing else {
            var push = message.push
            push.topic = nil
            return (user, .push(push, except: message.except))
        }
        guard let order = try? message.push.payload?.decoded(as: CloseOrder.self) else { return nil }
        // An order of another version of the server must not be lost because of its code.
        let code = (try? CloseFrameCode(order.code)) ?? .normalClosure
        return (user, .close(code.code, reason: order.reason))
    }
}

extension UserDirectory.State {
    /// Returns the next change to bring to the engine; nil if the engine is up to date, and the work ends.
    fileprivate mutating func nextStep(for user: String) -> UserDirectory.Step? {
        guard let entry = users[user] else { return nil }
        if let gone = entry.noted.subtracting(entry.wanted).first { return .leave(gone) }
        if entry.wanted.isEmpty {
            if entry.isSubscribed { return .unsubscribe }
            users[user] = nil
            return nil
        }
        if !entry.isSubscribed { return .subscribe }
        if let new = entry.wanted.subtracting(entry.noted).first { return .enter(new) }
        users[user]?.isWorking = false
        return nil
    }

    fileprivate mutating func done(_ step: UserDirectory.Step, for user: String) {
        switch step {
        case .subscribe: users[user]?.isSubscribed = true
        case .unsubscribe: users[user]?.isSubscribed = false
        case .enter(let id): users[user]?.noted.insert(id)
        case .leave(let id): users[user]?.noted.remove(id)
        }
    }
}
#endif

#if Server
internal import NetCore
internal import Synchronization

/// The open connections of this server, by ID and by user.
final class OpenConnections: Sendable {
    fileprivate struct State {
        var connections: [CallID: ServerConnection] = [:]
        var users: [String: [ServerConnection]] = [:]
        /// The user of each connection that has one.
        var names: [CallID: String] = [:]
        /// The tasks that wait until all connections are closed.
        var waiters = WaiterList<Void>()
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.connections.count } }
    var all: [ServerConnection] { state.withLock { Array($0.connections.values) } }
    var users: [String] { state.withLock { $0.users.keys.sorted() } }

    subscript(id: CallID) -> ServerConnection? { state.withLock { $0.connections[id] } }

    func connections(of user: String) -> [ServerConnection] { state.withLock { $0.users[user] ?? [] } }

    func add(_ connection: ServerConnection) {
        let user = connection.identity.user
        state.withLock { state in
            state.connections[connection.id] = connection
            if let user { state.addUser(user, of: connection) }
        }
    }

    /// Assigns the connection to another user.
    func identified(_ connection: ServerConnection, _ user: String?) {
        state.withLock { state in
            guard state.connections[connection.id] != nil else { return }
            state.removeUser(of: connection)
            if let user { state.addUser(user, of: connection) }
        }
    }

    func remove(_ connection: ServerConnection) {
        let waiters = state.withLock { state -> [WaiterList<Void>.Waiter] in
            guard state.connections.removeValue(forKey: connection.id) != nil else { return [] }
            state.removeUser(of: connection)
            return state.connections.isEmpty ? state.waiters.releaseAll(with: ()) : []
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until all connections are closed, or the task is cancelled.
    func waitUntilEmpty() async {
        let id = state.withLock { $0.connections.isEmpty ? nil : $0.waiters.register() }
        guard let id else { return }
        await WaiterList.wait(id, fallback: ()) { change in self.state.withLock { change(&$0.waiters) } }
    }
}

extension OpenConnections.State {
    fileprivate mutating func addUser(_ user: String, of connection: ServerConnection) {
        users[user, default: []].append(connection)
        names[connection.id] = user
    }

    fileprivate mutating func removeUser(of connection: ServerConnection) {
        guard let user = names.removeValue(forKey: connection.id) else { return }
        users[user]?.removeAll { $0 === connection }
        if users[user]?.isEmpty == true { users[user] = nil }
    }
}
#endif

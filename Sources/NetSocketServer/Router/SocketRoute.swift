#if Server
internal import NetCore
internal import NetSocketCore

/// Whether a command of a connection waits for those before it.
public enum SocketOrder: Sendable, Hashable {
    /// It begins when the handlers of earlier serial commands of its connection have returned. The default.
    case serial
    /// It begins at once.
    case concurrent
}

/// Where the handler of a command runs.
public enum SocketExecutor: Sendable, Hashable {
    /// On the threads that all tasks share. The default, and the right choice for anything that computes or waits long.
    case pool
    /// On the event loop of its connection: nothing changes threads, which saves most of the time of a short command. What a
    /// handler computes there, all connections of the loop wait for.
    case loop
}

/// How the commands of one name are handled.
struct SocketRoute: Sendable {
    typealias Handler = @Sendable (WireRequest, CommandContext) async throws -> SocketPayload?
    typealias Immediate = @Sendable (WireRequest, CommandContext) throws -> SocketPayload?

    var order = SocketOrder.serial
    var executor = SocketExecutor.pool
    var handler: Handler
    /// Handles it without a task, while the connection is being read.
    var immediate: Immediate?
}

/// What a handler is given, before the types of the program are known.
struct CommandContext: Sendable {
    let connection: ServerConnection
    let identity: Identity
    let topic: String?
    let request: SocketID?
    let deadline: Duration?

    /// Returns the principal. Throws if it is of another type, which a server's own routes never see.
    func principal<Principal>(_ type: Principal.Type = Principal.self) throws -> Principal {
        guard let principal = identity.principal as? Principal else {
            throw SocketFailure("internal_error", "the principal is no \(Principal.self)")
        }
        return principal
    }
}

/// Who a connection belongs to.
struct Identity: Sendable {
    var principal: any Sendable
    /// The name of the user, by which all connections of one are found; nil for none.
    var user: String?
    /// How long the credentials are good for; nil for ever.
    var lifetime: Duration?
}

extension SocketIdentity {
    var erased: Identity { Identity(principal: principal, user: user, lifetime: expiresIn) }
}
#endif

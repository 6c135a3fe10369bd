#if Server
internal import NetCore
internal import NetSocketCore

/// The order of a command relative to earlier commands of its connection.
public enum SocketOrder: Sendable, Hashable {
    /// The command starts when the handlers of earlier serial commands of its connection have returned. The default.
    case serial
    /// The command starts immediately.
    case concurrent
}

/// The executor of a command's handler.
public enum SocketExecutor: Sendable, Hashable {
    /// The threads that all tasks share. The default, and the right choice for long computations or waits.
    case pool
    /// The event loop of the command's connection. The command doesn't switch threads, which otherwise takes most of
    /// the time of a short command. While a handler computes, all connections of the loop wait for it.
    case loop
}

/// The handler of one command and its settings.
struct SocketRoute: Sendable {
    typealias Handler = @Sendable (WireRequest, CommandContext) async throws -> SocketPayload?
    typealias Immediate = @Sendable (WireRequest, CommandContext) throws -> SocketPayload?

    var order = SocketOrder.serial
    var executor = SocketExecutor.pool
    var handler: Handler
    /// Handles the command without a task, while the connection is being read.
    var immediate: Immediate?
}

/// The context of a handler, without the program's types.
struct CommandContext: Sendable {
    let connection: ServerConnection
    let identity: Identity
    /// The number of user changes of the connection before the work began.
    let era: Int
    let topic: String?
    let request: SocketID?
    let deadline: Duration?

    /// Returns the principal. Throws if it has another type, which never happens in a server's own routes.
    func principal<Principal>(_ type: Principal.Type = Principal.self) throws -> Principal {
        guard let principal = identity.principal as? Principal else {
            throw SocketFailure("internal_error", "the principal isn't of type \(Principal.self)")
        }
        return principal
    }
}
#endif

#if Server
public import NetCore
public import NetSocketCore

/// The handlers of a server's commands, and the rules of its channels.
///
/// A command is routed by its type. `Principal` is the program's own type for the owner of a connection; a server
/// determines the principal before it handles any message.
///
///     struct User: Sendable { var name: String }
///     struct SendMessage: SocketCommand {
///         static let event = "chat.send"
///         struct Response: Codable, Sendable { var id: Int }
///         var text: String
///     }
///     var router = SocketRouter<User>()
///     router.on(SendMessage.self) { message, context in
///         SendMessage.Response(id: message.text.count)
///     }
///
/// The last handler for a name wins. The text of an error that a handler throws reaches the client only if it is a
/// ``NetSocketCore/SocketFailure``. For any other error, the client receives the code `internal_error` and a
/// reference, which the server also logs.
public struct SocketRouter<Principal: Sendable>: Sendable {
    var table = RouterTable()

    /// Creates a router without routes.
    ///
    /// - Parameter coding: Decodes payloads and encodes replies.
    public init(coding: JSONCoding = .standard) {
        table.coding = coding
    }

    /// The names of the commands that have a handler, sorted.
    public var events: [String] { table.routes.keys.sorted() }

    /// If true, a command may name a channel that its connection isn't in. Default false: such a command is refused
    /// with `not_joined`.
    public var allowsCommandsOutsideChannels: Bool {
        get { table.allowsCommandsOutsideChannels }
        set { table.allowsCommandsOutsideChannels = newValue }
    }

    // MARK: Commands

    /// Handles a command with a payload. A payload that can't be decoded is refused with `invalid_payload`, or with
    /// the wire protocol's own error.
    ///
    /// - Parameters:
    ///   - type: The command.
    ///   - order: The order relative to earlier commands of the connection. Default: it waits for them.
    ///   - executor: The executor of the handler. Default: the threads that all tasks share.
    ///   - handler: Returns the reply, or throws.
    public mutating func on<Command: SocketCommand>(
        _ type: Command.Type, order: SocketOrder = .serial, executor: SocketExecutor = .pool,
        handler: @escaping @Sendable (Command, SocketContext<Principal>) async throws -> Command.Response
    ) {
        let coding = table.coding
        table.routes[Command.event] = SocketRoute(order: order, executor: executor) { request, context in
            let command = try request.command(Command.self, coding)
            return try await Self.reply(handler(command, SocketContext(context)), coding)
        }
    }

    /// Handles a command whose payload is ignored.
    public mutating func on<Command: SocketCommand>(
        _ type: Command.Type, order: SocketOrder = .serial, executor: SocketExecutor = .pool,
        handler: @escaping @Sendable (SocketContext<Principal>) async throws -> Command.Response
    ) {
        let coding = table.coding
        table.routes[Command.event] = SocketRoute(order: order, executor: executor) { _, context in
            try await Self.reply(handler(SocketContext(context)), coding)
        }
    }

    /// Handles a command while its connection is being read, without a task: for handlers that take little time and
    /// don't wait. The handler doesn't wait for earlier commands. All connections of the event loop wait for it.
    public mutating func onImmediately<Command: SocketCommand>(
        _ type: Command.Type,
        handler: @escaping @Sendable (Command, SocketContext<Principal>) throws -> Command.Response
    ) {
        let coding = table.coding
        let immediate: SocketRoute.Immediate = { request, context in
            let command = try request.command(Command.self, coding)
            return try Self.reply(handler(command, SocketContext(context)), coding)
        }
        table.routes[Command.event] = SocketRoute(handler: immediate, immediate: immediate)
    }

    /// Handles the commands of a name that is only known at runtime, with the raw payload.
    public mutating func on(
        _ event: String, order: SocketOrder = .serial, executor: SocketExecutor = .pool,
        handler: @escaping @Sendable (SocketPayload?, SocketContext<Principal>) async throws -> SocketPayload?
    ) {
        table.routes[event] = SocketRoute(order: order, executor: executor) { request, context in
            try await handler(request.payload, SocketContext(context))
        }
    }

    /// Handles the commands that have no other handler. Without it they are refused with `unknown_command`, or with
    /// the wire protocol's own error.
    public mutating func onAny(
        order: SocketOrder = .serial, executor: SocketExecutor = .pool,
        handler: @escaping @Sendable (WireRequest, SocketContext<Principal>) async throws -> SocketPayload?
    ) {
        table.other = SocketRoute(order: order, executor: executor) { request, context in
            try await handler(request, SocketContext(context))
        }
    }

    /// Removes the handler of a name.
    public mutating func off(_ event: String) { table.routes[event] = nil }

    /// Checks each command before its handler runs; throwing refuses it. Only the last check set applies.
    ///
    /// With a check, commands of ``onImmediately(_:handler:)`` run in a task like all others.
    public mutating func authorize(
        _ check: @escaping @Sendable (WireRequest, SocketContext<Principal>) async throws -> Void
    ) {
        table.authorize = { request, context in try await check(request, SocketContext(context)) }
    }

    // MARK: Messages

    /// Handles each message of connections whose wire protocol has no envelope (``NetSocketCore/SocketWire/raw``), one
    /// at a time for each connection.
    public mutating func onMessage(
        executor: SocketExecutor = .pool,
        handler: @escaping @Sendable (WebSocketMessage, SocketContext<Principal>) async throws -> Void
    ) {
        table.routes[""] = SocketRoute(order: .serial, executor: executor) { request, context in
            try await handler(request.message, SocketContext(context))
            return nil
        }
    }

    /// Handles each message of connections whose wire protocol has no envelope (``NetSocketCore/SocketWire/raw``) while
    /// the connection is being read, without a task. All connections of the event loop wait for it.
    public mutating func onMessageImmediately(
        _ handler: @escaping @Sendable (WebSocketMessage, SocketConnection<Principal>) throws -> Void
    ) {
        table.message = { message, context in
            try handler(message, SocketConnection(context.connection, context.principal(), context.era))
        }
    }

    private static func reply<Reply: Encodable>(_ reply: Reply, _ coding: JSONCoding) throws -> SocketPayload? {
        Reply.self == NoResponse.self ? nil : try SocketPayload(reply, coding: coding)
    }
}

/// A payload that can't be decoded. The ``NetSocketCore/WireRefusals`` of the wire reports it to the client, without
/// the data that the client sent.
struct UnreadablePayload: Error {}

extension WireRequest {
    /// The message of a wire without an envelope.
    var message: WebSocketMessage {
        payload?.json.map { .text($0) } ?? .binary(payload?.bytes ?? Bytes())
    }

    /// Decodes the command. Throws `UnreadablePayload` for a payload that can't be decoded.
    func command<Command: Decodable>(_ type: Command.Type, _ coding: JSONCoding) throws -> Command {
        do {
            return try (payload ?? SocketPayload(json: "{}")).decoded(coding: coding)
        } catch {
            throw UnreadablePayload()
        }
    }
}
#endif

public import NetSocketCore

extension SocketClient {
    /// Calls a closure for each push of a type from now on, whatever its channel, until ``off(_:)`` or the end of the session.
    ///
    ///     struct ChatMessage: SocketPush {
    ///         static let event = "chat.message"
    ///         var text: String
    ///     }
    ///     let client = SocketClient("wss://chat.example/socket")
    ///     let registration = client.on(ChatMessage.self) { message in print(message.text) }
    ///     client.start()
    ///     client.off(registration)
    ///
    /// An event may have many handlers: they are called in the order of registration, one push after the other, by a task of the
    /// session that is cancelled when it is closed. While a handler runs, the next pushes wait; once 1,000 of them do, reading
    /// from the server waits as well, so a handler that awaits a reply should be quick or have a task of its own. After a
    /// session has failed, what came before is still handled.
    ///
    /// A push without handlers and observers isn't decoded. One that can't be decoded is left out, and reported once as
    /// ``SocketSessionEvent/unreadable(_:)``. A handler that holds the client keeps it alive: capture it weakly if the session
    /// ends with its last reference.
    @discardableResult
    public func on<Push: SocketPush>(
        _ type: Push.Type, perform: @escaping @Sendable (Push) async -> Void
    ) -> SocketRegistration {
        driver.on(type, topic: nil, perform)
    }

    /// Calls a closure for each push with a name, undecoded, as ``on(_:perform:)-(Push.Type,_)`` does for a type.
    @discardableResult
    public func on(
        _ event: String, perform: @escaping @Sendable (WirePush) async -> Void
    ) -> SocketRegistration {
        driver.on(event, topic: nil, perform)
    }

    /// Answers the requests of a type that the server sends, until ``off(_:)`` or the end of the session. Only where the wire
    /// protocol has them: ``NetSocketCore/SocketWire/jsonRPC``, ``NetSocketCore/SocketWire/socketIO`` as acknowledgements.
    ///
    ///     struct Confirm: SocketCommand {
    ///         static let event = "confirm"
    ///         struct Response: Codable, Sendable { var isConfirmed: Bool }
    ///         var question: String
    ///     }
    ///     let client = SocketClient("wss://tools.example/rpc", configuration: .init(wire: .jsonRPC))
    ///     client.onRequest(Confirm.self) { command in
    ///         guard !command.question.isEmpty else { throw SocketFailure("-32000", "no question") }
    ///         return Confirm.Response(isConfirmed: true)
    ///     }
    ///     client.start()
    ///
    /// At most 16 requests are answered at the same time, by tasks of the session; the others wait. A command has one
    /// handler: a newer one takes its place until it is removed. The server is told a ``NetSocketCore/SocketFailure`` that the
    /// closure throws; any other error is an event (``SocketSessionEvent/unhandled(_:_:)``), and the server is told the wire's
    /// ``NetSocketCore/SocketWire/refusals``, as it is for a command without a handler and for a payload that can't be read.
    /// The reply is sent on the connection of the request, or not at all.
    @discardableResult
    public func onRequest<Command: SocketCommand>(
        _ type: Command.Type, answer: @escaping @Sendable (Command) async throws -> Command.Response
    ) -> SocketRegistration {
        driver.onRequest(type, topic: nil, answer)
    }

    /// Removes a handler: no call of it begins any more. Removing it twice does nothing.
    public func off(_ registration: SocketRegistration) { driver.handlers.remove(registration) }
}

extension SocketChannel {
    /// Calls a closure for each push of a type in this channel; see ``SocketClient/on(_:perform:)-(Push.Type,_)``. The handler
    /// stays when the channel is left.
    @discardableResult
    public func on<Push: SocketPush>(
        _ type: Push.Type, perform: @escaping @Sendable (Push) async -> Void
    ) -> SocketRegistration {
        client.driver.on(type, topic: topic, perform)
    }

    /// Calls a closure for each push in this channel with a name, undecoded.
    @discardableResult
    public func on(
        _ event: String, perform: @escaping @Sendable (WirePush) async -> Void
    ) -> SocketRegistration {
        client.driver.on(event, topic: topic, perform)
    }

    /// Answers the requests of a type that the server sends in this channel, rather than the handler of the client; see
    /// ``SocketClient/onRequest(_:answer:)``.
    @discardableResult
    public func onRequest<Command: SocketCommand>(
        _ type: Command.Type, answer: @escaping @Sendable (Command) async throws -> Command.Response
    ) -> SocketRegistration {
        client.driver.onRequest(type, topic: topic, answer)
    }

    /// Removes a handler; see ``SocketClient/off(_:)``.
    public func off(_ registration: SocketRegistration) { client.off(registration) }
}

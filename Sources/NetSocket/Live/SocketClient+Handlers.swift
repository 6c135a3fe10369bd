public import NetSocketCore

extension SocketClient {
    /// Calls a closure for each push of a type from now on, whatever its channel, until ``off(_:)`` or the end of the
    /// session.
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
    /// An event may have many handlers. A task of the session calls them in the order of registration, one push after
    /// the other; closing the session cancels this task. While a handler runs, the next pushes wait; once 1,000 are
    /// waiting, reading from the server waits as well, so a handler that awaits a reply should be quick or start a
    /// separate task. After a session has failed, handlers still receive the pushes that arrived before.
    ///
    /// A push without handlers and observers isn't decoded. A push that can't be decoded is skipped, and reported once
    /// as ``SocketSessionEvent/unreadable(_:)``. A handler that holds the client keeps it alive: capture it weakly if
    /// the session should end with its last reference.
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

    /// Replies to the server's requests of a type, until ``off(_:)`` or the end of the session. This requires a wire
    /// protocol with requests: ``NetSocketCore/SocketWire/jsonRPC``, or ``NetSocketCore/SocketWire/socketIO``, where
    /// they are acknowledgements.
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
    /// At most 16 requests are handled concurrently, by tasks of the session; the others wait. A command has one
    /// handler: a newer one takes its place until it is removed. If the closure throws a
    /// ``NetSocketCore/SocketFailure``, that is sent to the server. Any other error is reported as an event
    /// (``SocketSessionEvent/unhandled(_:_:)``), and the server gets one of the wire's
    /// ``NetSocketCore/SocketWire/refusals``. The server also gets a refusal for a command without a handler and for a
    /// payload that can't be read. A reply is sent only on the connection of its request; if that has ended, the reply
    /// isn't sent.
    @discardableResult
    public func onRequest<Command: SocketCommand>(
        _ type: Command.Type, respond: @escaping @Sendable (Command) async throws -> Command.Response
    ) -> SocketRegistration {
        driver.onRequest(type, topic: nil, respond)
    }

    /// Removes a handler, which isn't called any more. Removing it twice does nothing.
    public func off(_ registration: SocketRegistration) { driver.handlers.remove(registration) }
}

extension SocketChannel {
    /// Calls a closure for each push of a type in this channel; see ``SocketClient/on(_:perform:)-(Push.Type,_)``. The
    /// handler stays registered when the channel is left.
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

    /// Replies to the server's requests of a type in this channel, instead of the client's handler; see
    /// ``SocketClient/onRequest(_:respond:)``.
    @discardableResult
    public func onRequest<Command: SocketCommand>(
        _ type: Command.Type, respond: @escaping @Sendable (Command) async throws -> Command.Response
    ) -> SocketRegistration {
        client.driver.onRequest(type, topic: topic, respond)
    }

    /// Removes a handler; see ``SocketClient/off(_:)``.
    public func off(_ registration: SocketRegistration) { client.off(registration) }
}

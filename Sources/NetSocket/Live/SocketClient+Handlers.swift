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

    /// Removes a handler; see ``SocketClient/off(_:)``.
    public func off(_ registration: SocketRegistration) { client.off(registration) }
}

public import NetCore
public import NetSocketCore

/// A session over WebSockets. It reconnects when a connection ends, sends typed commands and waits for their replies,
/// and joins channels, which it joins again on each new connection.
///
///     struct SendMessage: SocketCommand {
///         static let event = "chat.send"
///         struct Response: Codable, Sendable { var id: Int }
///         var text: String
///     }
///     let client = SocketClient("wss://chat.example/socket") { $0.bearer = "a1b2" }
///     try await client.withConnection { client in
///         let room = try await client.join("room:general")
///         print(try await room.send(SendMessage(text: "hello")).id)
///         for try await push in room.pushes { print(push.event) }
///     }
///
/// A session is owned in one of three ways: by a scope (``withConnection(_:)``), by a task (``run()``), or by itself,
/// from ``start()`` to ``close()``. Leaving the scope, cancelling the task, or dropping the last reference ends the
/// whole session. Any task may use it.
///
/// Messages sent while there is no connection wait for one, within limits, unless their ``NetSocketCore/OfflineRule``
/// says otherwise. If the connection ends before the reply to a command, the command fails, and
/// ``NetCore/NetError/mayHaveArrived`` is true: the server may have performed it.
public final class SocketClient: Sendable {
    let driver: SessionDriver

    /// Creates a session at a URL.
    ///
    /// - Parameters:
    ///   - url: `ws://`, `wss://`, `http://` or `https://`, or a path such as `/chat`, which continues the base URL of
    ///     `client`. With an invalid URL, the session fails with `.invalidRequest`.
    ///   - client: The client that opens the connections.
    ///   - configuration: The settings.
    ///   - prepare: Changes the request of each attempt, such as its token. An error ends the session, unless it is a
    ///     ``NetCore/NetError`` after which the session reconnects. Default: changes nothing.
    public convenience init(
        _ url: some URLConvertible, client: WebSocketClient, configuration: Configuration = Configuration(),
        prepare: @escaping @Sendable (inout WebSocketRequest) async throws -> Void = { _ in }
    ) {
        let request = WebSocketRequest(url: url)
        self.init(client: client, configuration: configuration) { _ in
            var request = request
            try await prepare(&request)
            return request
        }
    }

    #if os(Linux) || canImport(Darwin)
    /// Creates a session at a URL, with its own ``WebSocketClient``.
    public convenience init(
        _ url: some URLConvertible, configuration: Configuration = Configuration(),
        prepare: @escaping @Sendable (inout WebSocketRequest) async throws -> Void = { _ in }
    ) {
        self.init(url, client: WebSocketClient(), configuration: configuration, prepare: prepare)
    }
    #endif

    /// Creates a session that makes a new request for each attempt. An error of `request` ends the session, unless it
    /// is a ``NetCore/NetError`` after which the session reconnects.
    public init(
        client: WebSocketClient, configuration: Configuration = Configuration(),
        request: @escaping @Sendable (SocketAttempt) async throws -> WebSocketRequest
    ) {
        driver = SessionDriver(client, configuration, request: request)
    }

    deinit { driver.handle(.close) }

    // MARK: Life

    /// Runs the session as long as `body` runs, then closes it. Throws the error of `body`. If the session fails,
    /// waiting calls throw, and sequences end with its error. If the task is cancelled, the connection ends when `body`
    /// returns, without waiting for the server.
    public func withConnection<Value: Sendable>(
        _ body: (SocketClient) async throws -> Value
    ) async throws -> Value {
        let task = Task { [driver] in try await driver.run() }
        let result: Result<Value, any Error>
        do { result = .success(try await body(self)) } catch { result = .failure(error) }
        driver.handle(.close)
        await withTaskCancellationHandler {
            _ = await task.result
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    /// Runs the session until it is closed; suitable as a service in a task group. Throws the error that the session
    /// failed with, and `.cancelled` if the task was cancelled, which closes the session. A session runs only once: a
    /// second call throws `.invalidRequest`.
    public func run() async throws(NetError) { try await driver.run() }

    /// Runs the session in the background, until ``close()`` or until the last reference to this client is dropped. For
    /// programs without a task that could own the session.
    public func start() {
        Task { [driver] in try await driver.run() }
    }

    /// Ends the session: closes the connection, and ends all waiting calls. Nothing is sent or opened any more.
    public func close() { driver.handle(.close) }

    /// Closes the connection until ``resume()``. Channels, subscriptions and waiting messages stay; the server isn't
    /// notified of them. A session that hasn't begun yet doesn't connect when it begins.
    public func pause() { driver.handle(.pause) }

    /// Connects immediately, after ``pause()`` or instead of waiting for the next attempt.
    public func resume() { driver.handle(.resume) }

    /// Opens another connection to replace the current one, or instead of waiting for the next attempt. Earlier
    /// failures no longer count. Channels and subscriptions stay.
    public func reconnect() { driver.handle(.reconnect) }

    // MARK: Observing

    /// The current state.
    public var state: SocketSessionState { driver.sessionState }

    /// The current state, and every state from now on. If the observer is slow, the oldest are dropped.
    public var states: SocketSequence<SocketSessionState> {
        let transform: @Sendable (SessionMachine.Notice) -> SocketSessionState? = { notice in
            if case .state(let state) = notice { state } else { nil }
        }
        return driver.hub.observe(.dropOldest(100), first: { $0.session }, transform)
    }

    /// Returns all events of the session from now on.
    public func events(_ buffer: SocketBuffer = .standard) -> SocketSequence<SocketSessionEvent> {
        driver.hub.observe(buffer) { SocketSessionEvent($0) }
    }

    /// Returns the pushes of a type from now on, whatever their channel. A push that can't be decoded is omitted here,
    /// and reported as ``SocketSessionEvent/unreadable(_:)``.
    public func pushes<Push: SocketPush>(
        of type: Push.Type, _ buffer: SocketBuffer = .standard
    ) -> SocketSequence<Push> {
        driver.pushes(of: type, topic: nil, buffer)
    }

    // MARK: Commands

    /// Sends a command and returns its reply.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - timeout: The limit for the reply, including the wait for a connection. Default: that of the configuration.
    ///   - offline: The handling of the command while there is no connection. Default: it waits.
    ///
    /// Cancelling the task throws `.cancelled`, notifies the server if the wire protocol can do so, and doesn't affect
    /// the session. If the command was sent, ``NetCore/NetError/mayHaveArrived`` is true, also if its reply can't be
    /// decoded. In a session that has failed, throws the error with which it failed.
    @discardableResult
    public func send<Command: SocketCommand>(
        _ command: Command, timeout: Duration? = nil, offline: OfflineRule = .queue
    ) async throws(SocketCommandError) -> Command.Response {
        try await driver.send(command, topic: command.channel, timeout, offline)
    }

    /// Sends a message that doesn't get a reply. Returns when the message has been passed to the connection.
    public func notify(
        _ push: some SocketPush, channel: String? = nil, offline: OfflineRule = .queue
    ) async throws(SocketCommandError) {
        try await driver.notify(push, topic: channel, offline)
    }

    /// Returns a channel that has been or will be joined. An observer created before ``join(_:payload:)`` also gets the
    /// pushes that arrive with the reply.
    public func channel(_ topic: String) -> SocketChannel { SocketChannel(client: self, topic: topic) }

    /// Joins a channel and returns when the server has accepted.
    ///
    /// - Parameters:
    ///   - topic: The channel.
    ///   - payload: Makes the payload of each join: of this one, and of those on later connections. Default none.
    ///
    /// Throws `.rejected` with the server's failure. Joining a channel that is already joined, or being joined, sends
    /// nothing and changes nothing; with a `payload`, which wouldn't be sent, it throws `.invalidRequest`: leave the
    /// channel first.
    @discardableResult
    public func join(
        _ topic: String, payload: (@Sendable () async throws -> any Encodable & Sendable)? = nil
    ) async throws(SocketCommandError) -> SocketChannel {
        SocketChannel(client: self, topic: topic, reply: try await driver.join(topic, payload))
    }
}

public import NetCore
public import NetSocketCore

/// A session over WebSockets: it connects again when a connection ends, sends typed commands and waits for their replies, and
/// joins channels, which it joins again on each new connection.
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
/// A session is owned in one of three ways: by a scope (``withConnection(_:)``), by a task (``run()``), or by itself, from
/// ``start()`` to ``close()``. Cancelling the task, leaving the scope, or dropping the last reference ends all of it. Any task
/// may use it.
///
/// What is sent while there is no connection waits for one, within limits, unless its ``NetSocketCore/OfflineRule`` says
/// otherwise. A command whose connection ends before the reply fails, and ``NetCore/NetError/mayHaveArrived`` is true: the
/// server may have done it.
public final class SocketClient: Sendable {
    let driver: SessionDriver

    /// Creates a session at a URL.
    ///
    /// - Parameters:
    ///   - url: `ws://`, `wss://`, `http://` or `https://`.
    ///   - client: What opens the connections. Default a client of its own.
    ///   - configuration: The settings.
    ///   - prepare: Changes the request of each attempt, such as its token. An error ends the session, unless it is a
    ///     ``NetCore/NetError`` after which it connects again. Default: changes nothing.
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
    /// Creates a session at a URL, with a ``WebSocketClient`` of its own.
    public convenience init(
        _ url: some URLConvertible, configuration: Configuration = Configuration(),
        prepare: @escaping @Sendable (inout WebSocketRequest) async throws -> Void = { _ in }
    ) {
        self.init(url, client: WebSocketClient(), configuration: configuration, prepare: prepare)
    }
    #endif

    /// Creates a session whose requests are made for each attempt.
    public init(
        client: WebSocketClient, configuration: Configuration = Configuration(),
        request: @escaping @Sendable (SocketAttempt) async throws -> WebSocketRequest
    ) {
        driver = SessionDriver(client, configuration, request: request)
    }

    deinit { driver.handle(.close) }

    // MARK: Life

    /// Runs the session as long as `body` runs, then closes it. Throws what `body` throws. If the session fails, waiting
    /// calls throw, and sequences end with its error.
    public func withConnection<Value: Sendable>(
        _ body: (SocketClient) async throws -> Value
    ) async throws -> Value {
        let task = Task { [driver] in try await driver.run() }
        let result: Result<Value, any Error>
        do { result = .success(try await body(self)) } catch { result = .failure(error) }
        driver.handle(.close)
        _ = await task.result
        return try result.get()
    }

    /// Runs the session until it is closed; a service of a group of tasks. Throws the error with which the session has failed,
    /// and `.cancelled` if the task was cancelled, which closes the session. A session runs once.
    public func run() async throws(NetError) { try await driver.run() }

    /// Runs the session in the background, until ``close()`` or until the last reference to this client is dropped. For
    /// programs without a task that could own it.
    public func start() {
        Task { [driver] in try await driver.run() }
    }

    /// Ends the session: closes the connection, and ends whatever waits. Nothing is sent or opened any more.
    public func close() { driver.handle(.close) }

    /// Closes the connection until ``resume()``. Channels, subscriptions and waiting messages stay; the server is told of
    /// nothing.
    public func pause() { driver.handle(.pause) }

    /// Connects at once: after ``pause()``, or instead of a wait for the next attempt.
    public func resume() { driver.handle(.resume) }

    /// Opens another connection in place of this one, or of the wait for one; earlier failures no longer count. Channels and
    /// subscriptions stay.
    public func reconnect() { driver.handle(.reconnect) }

    // MARK: Observing

    /// The state now.
    public var state: SocketSessionState { driver.sessionState }

    /// The state now, and every state from now on. The oldest are dropped for a slow observer.
    public var states: SocketSequence<SocketSessionState> {
        let transform: @Sendable (SessionMachine.Notice) -> SocketSessionState? = { notice in
            if case .state(let state) = notice { state } else { nil }
        }
        return driver.hub.observe(.dropOldest(100), first: { $0 }, transform)
    }

    /// Returns everything that the session sees from now on.
    public func events(_ buffer: SocketBuffer = .standard) -> SocketSequence<SocketSessionEvent> {
        driver.hub.observe(buffer) { SocketSessionEvent($0) }
    }

    /// Returns the pushes of a type from now on, whatever their channel. One that can't be decoded is left out here, and
    /// reported as ``SocketSessionEvent/unreadable(_:)``.
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
    ///   - timeout: The limit for the reply, with the wait for a connection. Default: that of the configuration.
    ///   - offline: What becomes of it while there is no connection. Default: it waits.
    ///
    /// Cancelling the task throws `.cancelled`, tells the server where the wire protocol can, and leaves the session as it is.
    @discardableResult
    public func send<Command: SocketCommand>(
        _ command: Command, timeout: Duration? = nil, offline: OfflineRule = .queue
    ) async throws(SocketCommandError) -> Command.Response {
        try await driver.send(command, topic: command.channel, timeout, offline)
    }

    /// Sends a message that gets no reply. Returns when it has been handed to the connection.
    public func notify(
        _ push: some SocketPush, channel: String? = nil, offline: OfflineRule = .queue
    ) async throws(SocketCommandError) {
        try await driver.notify(push, topic: channel, offline)
    }

    /// Returns a channel that is or will be joined: what observes it before ``join(_:payload:)`` misses no push that comes with
    /// the answer.
    public func channel(_ topic: String) -> SocketChannel { SocketChannel(client: self, topic: topic) }

    /// Joins a channel and returns when the server has accepted.
    ///
    /// - Parameters:
    ///   - topic: The channel.
    ///   - payload: Makes the payload of each join: of this one, and of those after a new connection. Default none.
    ///
    /// Throws `.rejected` with what the server said. Joining a channel that was joined already returns at once.
    @discardableResult
    public func join(
        _ topic: String, payload: (@Sendable () async throws -> any Encodable & Sendable)? = nil
    ) async throws(SocketCommandError) -> SocketChannel {
        SocketChannel(client: self, topic: topic, reply: try await driver.join(topic, payload))
    }
}

public import NetCore
internal import Synchronization

/// A WebSocket that reconnects: one connection at a time, with growing waits, for as long as a consumer reads its
/// events.
///
/// Reading ``events`` drives the session: nothing happens in the background, and back-pressure from a slow consumer
/// stops the server. Subscribe again on each `.connected`; messages that were sent before the connection broke may or
/// may not have arrived.
///
///     let session = WebSocketSession(client: WebSocketClient(), url: "wss://example.com/live")
///     for try await event in session.events {
///         switch event {
///         case .connected: try await session.send(.text("subscribe"))
///         case .message(let message): print(message.text ?? "bytes")
///         case .disconnected(let error): print("lost:", error)
///         case .reconnecting(let attempt, let wait): print("attempt \(attempt) in \(wait)")
///         }
///     }
public final class WebSocketSession: Sendable {
    /// The events of a session, in the order in which they happen.
    public enum Event: Sendable {
        /// The server has accepted the connection, with the given subprotocol.
        case connected(subprotocol: String?)
        /// A message has arrived.
        case message(WebSocketMessage)
        /// The connection has ended, or couldn't be opened.
        case disconnected(NetError)
        /// The next attempt, counted from 1 since the last stable connection, and the wait before it.
        case reconnecting(attempt: Int, after: Duration)
    }

    /// The behavior of ``send(_:)`` while there is no connection.
    public enum Offline: Sendable, Hashable {
        /// Waits until there is one.
        case wait
        /// Throws `.connectionLost`.
        case fail
    }

    private let client: WebSocketClient
    private let offline: Offline
    private let request: @Sendable () async throws -> WebSocketRequest
    private let state: Mutex<SessionStateMachine>
    /// The tasks that wait for the next connection.
    private let senders = Mutex(WaiterList<Void>())

    /// Creates a session, which connects when its events are read.
    ///
    /// - Parameter request: Returns the request of each attempt, so that a token can be fresh. An error that it throws
    ///   ends the session.
    public init(
        client: WebSocketClient, policy: ReconnectPolicy = ReconnectPolicy(), offline: Offline = .wait,
        request: @escaping @Sendable () async throws -> WebSocketRequest
    ) {
        self.client = client
        self.offline = offline
        self.request = request
        state = Mutex(SessionStateMachine(policy: policy))
    }

    /// Creates a session with a URL, and the same headers and subprotocols for each attempt.
    ///
    ///     let url = "wss://example.com/chat"
    ///     let session = WebSocketSession(client: WebSocketClient(), url: url, subprotocols: ["chat.v2"])
    public convenience init(
        client: WebSocketClient, url: some URLConvertible, headers: HTTPFields = [:], subprotocols: [String] = [],
        policy: ReconnectPolicy = ReconnectPolicy()
    ) {
        let request = WebSocketRequest(url: url, headers: headers, subprotocols: subprotocols)
        self.init(client: client, policy: policy) { request }
    }

    /// The events, for one consumer at a time. The sequence ends after ``close(_:reason:)`` and after the server closes
    /// with 1000, and throws the last error if the policy stops reconnecting. A consumer that stops reading leaves the
    /// session as it is; the next one continues.
    public var events: WebSocketSessionEvents { WebSocketSessionEvents(session: self) }

    /// Sends a message over the current connection; see ``Offline`` for the behavior without one. If the connection
    /// ends in the meantime, the message is sent once more on the next connection, so the server may receive it twice.
    ///
    /// Throws `.webSocketClosed` if the session has ended, and `.cancelled` if the task is cancelled while it waits.
    public func send(_ message: WebSocketMessage) async throws(NetError) {
        let first = try await connection(otherThan: nil)
        do throws(NetError) {
            try await first.send(message)
        } catch {
            guard error.code == .webSocketClosed || error.code == .connectionLost else { throw error }
            try await connection(otherThan: first).send(message)
        }
    }

    /// Ends the current connection or attempt and connects immediately; earlier failures no longer count.
    public func reconnect() async {
        let (connection, cancel) = state.withLock { $0.reconnectRequested() }
        cancel?()
        await connection?.close(.goingAway)
    }

    /// Ends the session: closes the connection, and stops waiting and connecting. Takes precedence over a reconnect in
    /// progress.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        let (connection, cancel) = state.withLock { $0.closeRequested() }
        cancel?()
        wakeSenders()
        await connection?.close(code, reason: reason)
    }

    // MARK: Sending

    /// Returns the current connection if it isn't `old`, otherwise the next one.
    private func connection(otherThan old: WebSocketConnection?) async throws(NetError) -> WebSocketConnection {
        while true {
            let (current, hasEnded) = state.withLock { ($0.connection, $0.hasEnded) }
            if let current, current !== old { return current }
            guard !hasEnded else {
                throw NetError(
                    .webSocketClosed, phase: .sending, message: "the WebSocket session has ended; make a new one")
            }
            guard offline == .wait else {
                throw NetError(
                    .connectionLost, phase: .sending,
                    message:
                        "there is no connection now; send after .connected, or make the session with offline: .wait")
            }
            await waitForChange(from: old)
            if Task.isCancelled {
                throw NetError(.cancelled, phase: .queued, message: "waiting for a connection was cancelled")
            }
        }
    }

    /// Waits until there is a connection other than `old`, or the session has ended. Returns immediately if that is
    /// already the case.
    private func waitForChange(from old: WebSocketConnection?) async {
        let waiter = senders.withLock { senders -> WaiterList<Void>.ID? in
            let isNeeded = state.withLock { ($0.connection === old || $0.connection == nil) && !$0.hasEnded }
            return isNeeded ? senders.register() : nil
        }
        guard let waiter else { return }
        await WaiterList.wait(waiter, fallback: ()) { change in senders.withLock { change(&$0) } }
    }

    private func wakeSenders() {
        for waiter in senders.withLock({ $0.releaseAll(with: ()) }) { waiter.resume() }
    }

    // MARK: Reading

    func next() async throws(NetError) -> Event? {
        while true {
            switch state.withLock({ $0.next() }) {
            case .emit(let event):
                return event
            case .connect:
                try await connect()
            case .wait(let duration):
                try await wait(duration)
            case .receive(let connection):
                do throws(NetError) {
                    return .message(try await connection.receive())
                } catch {
                    if error.isCancellation { throw error }
                    failed(error)
                }
            case .end(nil):
                return nil
            case .end(let error?):
                throw error
            }
        }
    }

    private func connect() async throws(NetError) {
        let task = Task { [client, request] in try await Self.open(client, request).get() }
        switch await interruptible(task) {
        case .success(let connection):
            let now = client.core.environment.clock.now()
            if state.withLock({ $0.connected(connection, now: now) }) {
                wakeSenders()
            } else {
                await connection.close(.goingAway)
            }
        case .failure(let error):
            if Task.isCancelled {
                state.withLock { $0.interrupted() }
                throw NetError(.cancelled, phase: .connecting, message: "reading the session was cancelled")
            }
            failed(
                NetError(error)
                    ?? NetError(
                        .invalidRequest, phase: .preparing,
                        message: "the session has no request: \(ErrorSummary.describe(error))", underlying: error))
        }
    }

    /// Opens a connection. A separate function that returns a result, because two kinds of `throws` in the closure of
    /// one task crash the optimizer of Swift 6.3.1.
    private static func open(
        _ client: WebSocketClient, _ request: @Sendable () async throws -> WebSocketRequest
    ) async -> Result<WebSocketConnection, any Error> {
        let made: WebSocketRequest
        do { made = try await request() } catch { return .failure(error) }
        do throws(NetError) { return .success(try await client.connect(made)) } catch { return .failure(error) }
    }

    private func wait(_ duration: Duration) async throws(NetError) {
        let clock = client.core.environment.clock
        let result = await interruptible(Task { try await clock.sleep(for: duration) })
        if Task.isCancelled {
            throw NetError(.cancelled, phase: .queued, message: "reading the session was cancelled")
        }
        if case .success = result { state.withLock { $0.waited() } }
    }

    /// Awaits a task that is cancelled by ``close(_:reason:)``, ``reconnect()`` and the cancellation of the reader.
    private func interruptible<Value: Sendable>(_ task: Task<Value, any Error>) async -> Result<Value, any Error> {
        if state.withLock({ $0.began { task.cancel() } }) { task.cancel() }
        return await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
    }

    private func failed(_ error: NetError) {
        let environment = client.core.environment
        let (now, date, random) = (environment.clock.now(), environment.clock.date(), environment.random.unit())
        let hasEnded = state.withLock { state in
            state.failed(error, now: now, date: date, random: random)
            return state.hasEnded
        }
        if hasEnded { wakeSenders() }
    }
}

/// The events of a session; see ``WebSocketSession/events``.
public struct WebSocketSessionEvents: AsyncSequence, Sendable {
    public typealias Element = WebSocketSession.Event
    public typealias Failure = NetError

    let session: WebSocketSession

    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    /// Drives the session while events are requested.
    public struct Iterator: AsyncIteratorProtocol {
        let session: WebSocketSession

        public mutating func next() async throws(NetError) -> WebSocketSession.Event? {
            try await session.next()
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetError) -> WebSocketSession.Event? {
            try await session.next()
        }
    }
}

public import NetCore
internal import Synchronization

/// A WebSocket that is opened again when it ends: one at a time, with waits that grow, for as long as somebody reads its
/// events.
///
/// Reading ``events`` drives it: nothing happens in the background, and a slow reader holds the server back. Subscribe
/// again on each `.connected`; what was sent before the connection broke may or may not have arrived.
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
    /// What happens to a session, in order.
    public enum Event: Sendable {
        /// The server has accepted the connection, with that subprotocol.
        case connected(subprotocol: String?)
        /// A message.
        case message(WebSocketMessage)
        /// The connection ended, or could not be made.
        case disconnected(NetError)
        /// The next attempt, counted from 1 since a connection stood, and the wait before it.
        case reconnecting(attempt: Int, after: Duration)
    }

    /// What ``send(_:)`` does while there is no connection.
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
    /// Tasks that wait for the next connection.
    private let senders = Mutex(WaiterList<Void>())

    /// Makes a session; it connects when its events are read. `request` is called for each attempt, so that a token can
    /// be fresh; what it throws ends the session.
    public init(
        client: WebSocketClient, policy: ReconnectPolicy = ReconnectPolicy(), offline: Offline = .wait,
        request: @escaping @Sendable () async throws -> WebSocketRequest
    ) {
        self.client = client
        self.offline = offline
        self.request = request
        state = Mutex(SessionStateMachine(policy: policy))
    }

    /// Makes a session with an address and the defaults.
    public convenience init(client: WebSocketClient, url: String, policy: ReconnectPolicy = ReconnectPolicy()) {
        self.init(client: client, policy: policy) { WebSocketRequest(url: url) }
    }

    /// The events, for one reader at a time. The sequence ends after ``close(_:reason:)`` and after the server's 1000, and
    /// throws the last error where the policy says stop. A reader that stops leaves the session as it is; the next goes on.
    public var events: WebSocketSessionEvents { WebSocketSessionEvents(session: self) }

    /// Sends a message over the connection there is; see ``Offline`` for when there is none. When the connection ends
    /// meanwhile it is tried once more on the next one, so the server may get a message twice.
    ///
    /// Throws `.webSocketClosed` when the session has ended, `.cancelled` when the task is cancelled while it waits.
    public func send(_ message: WebSocketMessage) async throws(NetError) {
        let first = try await connection(otherThan: nil)
        do throws(NetError) {
            try await first.send(message)
        } catch {
            guard error.code == .webSocketClosed || error.code == .connectionLost else { throw error }
            try await connection(otherThan: first).send(message)
        }
    }

    /// Ends the connection or the attempt there is and connects at once, earlier failures forgotten.
    public func reconnect() async {
        let (connection, cancel) = state.withLock { $0.reconnectRequested() }
        cancel?()
        await connection?.close(.goingAway)
    }

    /// Ends the session: closes the connection, stops waiting and trying. Wins over a reconnect that is on its way.
    public func close(_ code: WebSocketCloseCode = .normalClosure, reason: String = "") async {
        let (connection, cancel) = state.withLock { $0.closeRequested() }
        cancel?()
        wakeSenders()
        await connection?.close(code, reason: reason)
    }

    // MARK: Sending

    /// The connection there is, or the next one.
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

    /// Waits until there is another connection than `old`, or the session has ended; not at all if that is so already.
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
                NetError(ours: error)
                    ?? NetError(
                        .invalidRequest, phase: .preparing,
                        message: "the session has no request: \(ErrorSummary.describe(error))", underlying: error))
        }
    }

    /// A function of its own, and a result: two kinds of `throws` in one task's closure crash the optimiser of Swift 6.3.1.
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

    /// Awaits a task that ``close(_:reason:)``, ``reconnect()`` and the reader's cancellation end early.
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

    /// Drives the session while it is asked for events.
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

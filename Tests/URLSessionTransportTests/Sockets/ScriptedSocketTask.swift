import NetCore
import NetTesting
import Synchronization

/// A WebSocket task without a network: a test takes the roles of URLSession and the server.
final class ScriptedSocketTask: SocketTask {
    private struct State {
        var log: [String] = []
        var response: ResponseHead?
        var closure: (code: WebSocketCloseCode, reason: String)?
        var receives: [@Sendable (Result<WebSocketMessage, NetError>) -> Void] = []
        var sends: [@Sendable (NetError?) -> Void] = []
        var pings: [@Sendable (NetError?) -> Void] = []
    }

    private let state = Mutex(State())
    private let completesSends: Bool
    private let started: @Sendable (ScriptedSocketTask) -> Void

    /// Creates a task.
    ///
    /// - Parameters:
    ///   - completesSends: False if the test completes sends with ``completeSend(_:)``.
    ///   - started: Called when the task is started.
    init(completesSends: Bool = true, started: @escaping @Sendable (ScriptedSocketTask) -> Void = { _ in }) {
        self.completesSends = completesSends
        self.started = started
    }

    /// The calls to the task, in order.
    var log: [String] { state.withLock { $0.log } }
    /// The number of `receive` calls without a result.
    var outstanding: Int { state.withLock { $0.receives.count } }

    var response: ResponseHead? {
        get { state.withLock { $0.response } }
        set { state.withLock { $0.response = newValue } }
    }

    var closure: (code: WebSocketCloseCode, reason: String)? { state.withLock { $0.closure } }

    // MARK: Test

    /// Completes the outstanding `receive`. Returns false if there is none.
    @discardableResult
    func deliver(_ result: Result<WebSocketMessage, NetError>) -> Bool {
        let completion = state.withLock { $0.receives.isEmpty ? nil : $0.receives.removeFirst() }
        completion?(result)
        return completion != nil
    }

    @discardableResult
    func deliver(_ text: String) -> Bool { deliver(.success(.text(text))) }

    func completeSend(_ error: NetError? = nil) {
        state.withLock { $0.sends.isEmpty ? nil : $0.sends.removeFirst() }?(error)
    }

    func pong(_ error: NetError? = nil) { state.withLock { $0.pings.isEmpty ? nil : $0.pings.removeFirst() }?(error) }

    // MARK: SocketTask

    private func note(_ word: String) { state.withLock { $0.log.append(word) } }

    func start() {
        note("start")
        started(self)
    }

    func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, NetError>) -> Void) {
        state.withLock { $0.receives.append(completion) }
    }

    func send(_ message: WebSocketMessage, _ completion: @escaping @Sendable (NetError?) -> Void) {
        note("send \(message.text ?? "bytes")")
        if completesSends { completion(nil) } else { state.withLock { $0.sends.append(completion) } }
    }

    func ping(_ completion: @escaping @Sendable (NetError?) -> Void) {
        // In one step, because a test completes the ping once it is in the log.
        state.withLock { state in
            state.log.append("ping")
            state.pings.append(completion)
        }
    }

    func close(_ closure: WebSocketClosure) { note("close \(closure)") }
    func cancel() { note("cancel") }
}

/// A transport whose WebSockets are scripted tasks.
final class ScriptedSocketTransport: WebSocketTransport {
    let task: ScriptedSocketTask
    private let drivers = Mutex<[SocketTaskDriver]>([])
    private let configure: @Sendable (inout SocketTaskStateMachine.Settings) -> Void

    init(
        _ task: ScriptedSocketTask = ScriptedSocketTask(),
        configure: @escaping @Sendable (inout SocketTaskStateMachine.Settings) -> Void = { _ in }
    ) {
        self.task = task
        self.configure = configure
    }

    var endsWithCall: Bool { true }
    /// The driver of the last attempt.
    var driver: SocketTaskDriver? { drivers.withLock { $0.last } }

    func connect(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> WebSocketOpening {
        var settings = URLSessionWebSocketTransport.Configuration().settings(
            request.options.webSocket ?? WebSocketOptions(), timeouts: context.timeouts)
        configure(&settings)
        let driver = SocketTaskDriver(
            settings, secretSubprotocol: request.options.webSocket?.secretSubprotocol, context: context)
        drivers.withLock { $0.append(driver) }
        return try await driver.connect(task, context: context)
    }

    func shutdown() async {
        for driver in drivers.withLock({ $0 }) { driver.change { machine, _ in machine.shutDown() } }
    }
}

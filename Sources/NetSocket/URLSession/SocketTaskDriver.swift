#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import HTTPTypes
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// Drives one task of URLSession: passes the events of the task and its callers to the state machine, and performs the
/// effects once the lock is released.
final class SocketTaskDriver: Sendable {
    private struct State {
        var machine: SocketTaskStateMachine
        var task: (any SocketTask)?
        var timer: Task<Void, Never>?
        var deadline = 0
        /// Kept until the WebSocket is open or has failed to open.
        var context: CallContext?
        var recorder: SocketRecorder?
    }

    let origin: SocketOrigin
    /// A subprotocol that isn't shown, because it contains a secret.
    private let secretSubprotocol: String?
    private let state: Mutex<State>

    init(_ settings: SocketTaskStateMachine.Settings, secretSubprotocol: String? = nil, context: CallContext) {
        origin = SocketOrigin(context)
        self.secretSubprotocol = secretSubprotocol
        let machine = SocketTaskStateMachine(settings, origin: origin, now: origin.clock.now())
        state = Mutex(State(machine: machine, context: context))
    }

    // MARK: Callers

    /// Opens the WebSocket with a task that hasn't been started. Throws like
    /// ``NetCore/WebSocketTransport/connect(_:context:)``.
    func connect(_ task: any SocketTask, context: CallContext) async throws(NetError) -> WebSocketOpening {
        state.withLock { $0.task = task }
        let opener = change { machine, _ in machine.begin() }
        let outcome = await context.untilEnded {
            await suspend(opener)
        } giveUp: {
            self.change { machine, _ in machine.cancelled(opener) }
        }
        state.withLock { $0.context = nil }
        switch outcome {
        case .opened(let head, let subprotocol):
            return .opened(URLSessionWebSocketLink(self, response: head, subprotocol: subprotocol))
        case .refused(let head): return .refused(StreamedResponse(head: head))
        case .failed(let error): throw error
        case .done, .answered:
            throw context.error(.unknown, phase: .waiting, message: "the attempt has ended without a result")
        }
    }

    /// Waits for an outcome. Cancellation ends the wait unless there already is an outcome.
    func wait(_ id: SocketTaskStateMachine.Waiters.ID) async -> SocketTaskStateMachine.Outcome {
        await withTaskCancellationHandler {
            await suspend(id)
        } onCancel: {
            change { machine, _ in machine.cancelled(id) }
        }
    }

    /// Waits for an outcome, even if the task is cancelled.
    func suspend(_ id: SocketTaskStateMachine.Waiters.ID) async -> SocketTaskStateMachine.Outcome {
        await withUnsafeContinuation { continuation in
            state.withLock { $0.machine.waiters.suspend(id, continuation, fallback: .done) }?.resume()
        }
    }

    var silence: Duration { max(.zero, origin.clock.now() - state.withLock { $0.machine.lastSign }) }

    // MARK: URLSession

    func didOpen(subprotocol: String?) {
        var head = task?.response ?? ResponseHead(status: .switchingProtocols)
        // Set even if it contains a secret: the client hides a secret subprotocol in this header.
        if head[.secWebSocketProtocol] == nil { head.headers[.secWebSocketProtocol] = subprotocol }
        change { [head] machine, now in machine.didOpen(head, subprotocol: subprotocol, now: now) }
    }

    func didClose(_ code: WebSocketCloseCode, reason: String) {
        change { machine, _ in machine.receivedClose(code, reason: reason) }
    }

    func didComplete(_ error: NetError?) {
        let (head, closure) = (task?.response, task?.closure)
        change { machine, _ in machine.didComplete(error, head: head, closure: closure) }
    }

    private var task: (any SocketTask)? { state.withLock { $0.task } }

    // MARK: Effects

    /// Changes the state, performs the effects in order, and then resumes the waiting tasks. When they learn that the
    /// connection has ended, its URLSession task has already been cancelled.
    @discardableResult
    func change<Value: Sendable>(_ body: (inout SocketTaskStateMachine, _ now: Duration) -> Value) -> Value {
        let now = origin.clock.now()
        let (value, actions, waiters) = state.withLock { state in
            let value = body(&state.machine, now)
            let actions = state.machine.takeActions()
            let waiters = actions.compactMap { action -> SocketTaskStateMachine.Waiters.Waiter? in
                guard case .resume(let id, let outcome) = action else { return nil }
                return state.machine.waiters.release(id, with: outcome)
            }
            return (value, actions, waiters)
        }
        for action in actions { perform(action) }
        for waiter in waiters { waiter.resume() }
        return value
    }

    private func perform(_ action: SocketTaskStateMachine.Action) {
        switch action {
        case .start: task?.start()
        case .receive: receive()
        case .send(let message):
            recorder?.record(.sent, message)
            task?.send(message) { error in self.change { machine, _ in machine.sendFinished(error) } }
        case .sendPing(let number):
            recorder?.record(.sent, .ping, bytes: 0)
            task?.ping { error in self.change { machine, now in machine.pongArrived(number, error, now: now) } }
        case .close(let closure):
            recorder?.record(.sent, .close, bytes: 2 + closure.reason.utf8.count)
            task?.close(closure)
        case .cancel: task?.cancel()
        case .ask(let make):
            let question = make()
            change { machine, _ in machine.sendQuestion(question) }
        case .setDeadline(let time, let number): setDeadline(time, number)
        case .report(let report): self.report(report)
        case .resume: break
        }
    }

    private func receive() {
        task?.receive { result in
            self.change { machine, now in
                switch result {
                case .success(let message): machine.received(message, now: now)
                case .failure(let error): machine.receiveFailed(error)
                }
            }
        }
    }

    private func setDeadline(_ time: Duration?, _ number: Int) {
        let clock = origin.clock
        let timer = time.map { time in
            let end = clock.now() + time
            return Task { [weak self] in
                guard (try? await clock.sleep(until: end)) != nil, !Task.isCancelled else { return }
                self?.change { machine, now in machine.deadlinePassed(number, now: now) }
            }
        }
        let former = state.withLock { state in
            guard number > state.deadline else { return timer }
            state.deadline = number
            defer { state.timer = timer }
            return state.timer
        }
        former?.cancel()
    }

    // MARK: Listeners

    private var recorder: SocketRecorder? { state.withLock { $0.recorder } }

    private func report(_ report: SocketTaskStateMachine.Report) {
        switch report {
        case .opened(let subprotocol):
            let context = state.withLock { $0.context.take() }
            guard let recorder = context?.makeSocketRecorder() else { return }
            state.withLock { $0.recorder = recorder }
            // A subprotocol that contains a secret isn't shown.
            let shown = subprotocol == secretSubprotocol ? nil : subprotocol
            recorder.opened(SocketEvent.Opening(subprotocol: shown))
        case .received(let message): recorder?.record(.received, message)
        case .roundTrip(let time): recorder?.roundTrip(time)
        case .closed(let error): recorder?.closed(error)
        }
    }
}
#endif

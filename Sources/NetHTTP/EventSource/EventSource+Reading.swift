internal import NetCore
internal import Synchronization

extension EventSource {
    /// One iteration: when its last copy is released, the connection closes.
    final class Lease: Sendable {
        private let source: EventSource
        private let number = Mutex(0)
        private let isOver = Mutex(false)

        init(source: EventSource) {
            self.source = source
        }

        deinit { source.giveBack(number.withLock { $0 }) }

        func next() async throws(NetError) -> ServerSentEvent? {
            if isOver.withLock({ $0 }) { return nil }
            do throws(NetError) {
                if let event = try await source.next(number) { return event }
            } catch {
                isOver.withLock { $0 = true }
                throw error
            }
            isOver.withLock { $0 = true }
            return nil
        }
    }

    /// Ends the connection of an iteration, unless it belongs to another one.
    fileprivate func giveBack(_ number: Int) {
        let stream = change { state -> ServerSentEvents<ServerSentEvent>? in
            guard number > 0, state.reader == number else { return nil }
            _ = state.machine.closed()
            return state.stream.take()
        }
        stream?.cancel()
    }

    fileprivate func next(_ number: borrowing Mutex<Int>) async throws(NetError) -> ServerSentEvent? {
        var action = try start(number)
        defer { state.withLock { $0.isReading = false } }
        while true {
            switch action {
            case .none, .read:
                guard let stream = state.withLock({ $0.stream }) else { return nil }
                do throws(NetError) {
                    var events = stream.makeAsyncIterator()
                    let event = try await events.next()
                    note(stream)
                    if let event { return event }
                    action = over { $0.streamEnded() }
                } catch {
                    note(stream)
                    action = failure(error)
                }
            case .connect(let lastEventID):
                action = await connect(lastEventID)
            case .wait(let duration):
                let clock = connector.clock
                let isOver = await interruptible { () async -> Bool in
                    guard (try? await clock.sleep(for: duration)) != nil else { return false }
                    return !Task.isCancelled
                }
                action = isOver ? over { $0.waitIsOver() } : failure(Self.cancelledWait)
            case .end: return nil
            case .fail(let error): throw error
            }
        }
    }

    /// Reserves the source for an iteration: continues with the iteration's connection, or begins one.
    private func start(_ number: borrowing Mutex<Int>) throws(NetError) -> EventSourceStateMachine.Action {
        let mine = number.withLock { $0 }
        let (action, next) = change { state -> (EventSourceStateMachine.Action?, Int) in
            guard !state.isReading, mine == state.reader || state.machine.readyState == .closed else {
                return (nil, mine)
            }
            // The source was closed from outside, which ends this iteration.
            if mine > 0, state.machine.readyState == .closed { return (.end, mine) }
            state.isReading = true
            if mine > 0 { return (EventSourceStateMachine.Action.none, mine) }
            state.reader += 1
            return (state.machine.begin(), state.reader)
        }
        number.withLock { $0 = next }
        guard let action else {
            throw NetError(
                .unsupported, phase: .queued,
                message: "two tasks are iterating the same event source; create one per task")
        }
        return action
    }

    private static let cancelledWait = NetError(
        .cancelled, phase: .queued, message: "the event source was cancelled while it waited to connect again")

    /// Runs work that ``close()`` interrupts immediately.
    private func interruptible<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await work() }
        let isClosed = state.withLock { state in
            state.interrupt = { task.cancel() }
            return state.machine.readyState == .closed
        }
        if isClosed { task.cancel() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func connect(_ lastEventID: String) async -> EventSourceStateMachine.Action {
        let connector = connector
        let result = await interruptible { () async -> Result<StreamedResponse, NetError> in
            do throws(NetError) {
                return .success(try await connector.connect(lastEventID: lastEventID))
            } catch {
                return .failure(error)
            }
        }
        do throws(NetError) {
            let response = try result.get()
            let answer = EventSourceStateMachine.Answer(
                status: response.status.code, contentType: response.head[.contentType])
            let action = change { state in
                let action = state.machine.responded(answer)
                if case .read = action {
                    state.stream = ServerSentEvents(
                        response.body, maximumEventBytes: connector.configuration.maximumEventBytes,
                        lastEventID: lastEventID)
                }
                return action
            }
            switch action {
            case .read: return action
            case .none:
                response.body.cancel()
                return .end
            case .fail(let error): return .fail(response.body.fail(error))
            case .end:
                // The server ended the source, and its response is complete: nothing was cancelled.
                await response.discardBody()
                return .end
            default:
                response.body.cancel()
                return action
            }
        } catch {
            return failure(error)
        }
    }

    private func note(_ stream: ServerSentEvents<ServerSentEvent>) {
        state.withLock {
            $0.machine.received(lastEventID: stream.lastEventID, reconnectionTime: stream.reconnectionTime)
        }
    }

    private func failure(_ error: NetError) -> EventSourceStateMachine.Action {
        let retryAfter = connector.retryAfter(of: error)
        let random = connector.random
        return over { $0.failed(error, retryAfter: retryAfter, random: random) }
    }

    /// Handles the end of the stream; an action of `none` means that the source was closed in the meantime.
    private func over(
        _ event: (inout EventSourceStateMachine) -> EventSourceStateMachine.Action
    ) -> EventSourceStateMachine.Action {
        let action = change { state in
            state.stream = nil
            return event(&state.machine)
        }
        if case .none = action { return .end }
        return action
    }

    /// Changes the state and notifies its observers, in order.
    func change<Value>(_ body: (inout State) -> Value) -> Value {
        state.withLock { state in
            let value = body(&state)
            let now = state.machine.readyState
            if now != state.told {
                state.told = now
                for observer in state.observers.values { observer.yield(now) }
            }
            return value
        }
    }
}

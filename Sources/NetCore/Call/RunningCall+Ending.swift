internal import Synchronization

/// The end of a call: by itself, or from outside by its client or its total timeout.
extension RunningCall {
    /// The reason why a call was ended from outside.
    package struct EndReason: Sendable {
        package let code: NetError.Code
        package let message: String

        package init(_ code: NetError.Code, _ message: String) {
            self.code = code
            self.message = message
        }
    }

    /// Records that the client keeps the call, at `place` in its list.
    func begin(at place: Int) { state.withLock { $0.began(at: place) } }

    /// Records that the call is over. Returns its place the first time, nil after that.
    func finish() -> Int? {
        let (place, isTimed) = state.withLock { ($0.finished(), $0.isTimed) }
        if isTimed { forgetDeadline() }
        return place
    }

    /// Ends the call from outside and calls the handlers of all parts that wait on its behalf.
    package func end(_ reason: EndReason) {
        for handler in markEnded(reason) { handler() }
    }

    /// Records that the call is ended from outside. Returns the handlers of the parts that wait on its behalf; the
    /// caller must call them.
    func markEnded(_ reason: EndReason) -> [CallStateMachine.Handler] { state.withLock { $0.ended(reason) } }

    /// Calls `handler` when the call is ended from outside: immediately if that has already happened, never after the
    /// call is over. The handler is kept as long as the call lasts. Without a client, nothing ends the call, and the
    /// handler is dropped.
    package func onEnd(_ handler: @escaping @Sendable () -> Void) { _ = keep(handler, forGood: true) }

    /// Calls `handler` like ``onEnd(_:)``, but also without a client, and only until it is removed with ``forget(_:)``.
    ///
    /// - Returns: The handler's ID if it is kept.
    func untilForgotten(_ handler: @escaping @Sendable () -> Void) -> CallStateMachine.HandlerID? {
        keep(handler, forGood: false)
    }

    private func keep(_ handler: @escaping @Sendable () -> Void, forGood: Bool) -> CallStateMachine.HandlerID? {
        switch state.withLock({ $0.waits(forGood: forGood, handler) }) {
        case .kept(let id): return id
        case .late: handler()
        case .dropped: break
        }
        return nil
    }

    /// Removes a handler whose wait is over.
    func forget(_ handler: CallStateMachine.HandlerID) { state.withLock { $0.forget(handler) } }

    /// The reason why the call was ended from outside; nil while it is running, or if it ended by itself.
    package var reason: EndReason? { state.withLock { $0.reason } }

    /// The reason for ending a call whose total timeout has passed.
    package var lateness: EndReason {
        let limit = timeouts.total.map { $0.seconds(places: 3) } ?? "?"
        return EndReason(.timeout, "the call took longer than its total timeout of \(limit) s")
    }

    /// Ends the call at its deadline, on the client's clock. A transport observes the deadline itself; this is for the
    /// other waits of a call.
    ///
    /// - Returns: True if the deadline wasn't being watched before; false also for a call without a deadline.
    package func watchDeadline() -> Bool {
        guard let deadline else { return false }
        let isNew = state.withLock { state in
            guard state.isRunning, !state.isTimed else { return false }
            state.isTimed = true
            return true
        }
        if isNew { environment.deadlines.watch(self, until: deadline) }
        return isNew
    }

    /// Stops watching the deadline.
    package func forgetDeadline() {
        state.withLock { $0.isTimed = false }
        environment.deadlines.forget(self)
    }
}

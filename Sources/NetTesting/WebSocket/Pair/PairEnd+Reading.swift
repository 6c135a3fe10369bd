internal import NetCore
internal import NetSocketCore
internal import Synchronization

extension PairEnd {
    /// Reads in a task of this end, until the connection ends. Pauses while the inbox is full.
    func startReading() {
        tasks.adopt(
            Task {
                while await self.waitForRoom() {
                    guard (try? await self.readSome()) == true else { return }
                }
            })
    }

    /// Waits until the inbox has room. Returns false if the task is cancelled.
    private func waitForRoom() async -> Bool {
        while let id = state.withLock({ $0.waitForRoom() }) {
            await wait(id)
            if Task.isCancelled { return false }
        }
        return true
    }

    /// Suspends a registered task until it is released or cancelled.
    func wait(_ id: PairEndState.Tasks.ID) async {
        await WaiterList.wait(id, fallback: ()) { change in state.withLock { change(&$0.tasks) } }
        state.withLock { $0.leave(id) }
    }

    /// Reads the next chunk; waits until there is one. Returns false if none can arrive any more.
    ///
    /// Only one task can read at a time. Cancellation loses nothing.
    func readSome() async throws(MessagePipe<Bytes>.Refusal) -> Bool {
        guard state.withLock({ $0.beginReading() }) else { throw Task.isCancelled ? .cancelled : .busy }
        defer { state.withLock { $0.isReading = false } }
        guard ending == nil else { return false }
        try await waitForAnswersToLeave()
        if state.withLock({ $0.arrived.isEmpty }) {
            if let chunks = try await incoming.receive() { state.withLock { $0.arrived = chunks[...] } }
        }
        if settings.pause > .zero, state.withLock({ !$0.arrived.isEmpty }) {
            guard (try? await clock.sleep(for: settings.pause)) != nil else { throw .cancelled }
        }
        return change { state in
            if state.arrived.isEmpty || incoming.isReset {
                state.transportEnded(
                    incoming.isReset
                        ? "the connection broke: Connection reset by peer" : "\(settings.peer) closed the connection")
            } else {
                state.readArrived(now: clock.now())
            }
            return state.ending == nil
        }
    }

    /// Waits while twice the limit is on its way to the peer, which only the answers to its pings can amount to.
    private func waitForAnswersToLeave() async throws(MessagePipe<Bytes>.Refusal) {
        while let id = outgoing.registerSender(beyond: 2) {
            await outgoing.wait(id)
            if Task.isCancelled { throw .cancelled }
        }
    }
}

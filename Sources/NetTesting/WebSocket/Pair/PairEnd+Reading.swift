internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// Reading. An end reads arriving bytes in the task of the sender, so that nothing is in transit while a test advances
/// a clock; a scripted end reads when its script does.
extension PairEnd {
    /// Reads what has arrived, until the inbox is full.
    func readArrived() {
        guard !settings.isScripted else { return }
        var readsOn = state.withLock { $0.beginReading() }
        while readsOn {
            while readNext() {}
            readsOn = state.withLock { $0.endReading() && $0.beginReading() }
        }
    }

    /// Reads a chunk, or the end. Returns false if there is nothing to read, or no room.
    private func readNext() -> Bool {
        // Twice the limit can be in transit to the peer only if the peer reads none of the pongs to its pings.
        guard !state.withLock({ $0.pausesReading() }), outgoing.hasRoom(beyond: 2), ending == nil else { return false }
        guard state.withLock({ $0.arrived.isEmpty }) else {
            readChunk()
            return true
        }
        if settings.pause > .zero, !state.withLock({ $0.hasRelayedAll }), !incoming.isReset { return false }
        guard let chunks = incoming.poll() else {
            readEnd()
            return false
        }
        guard !chunks.isEmpty else { return false }
        state.withLock { $0.arrived = chunks[...] }
        counterpart?.readArrived()
        return true
    }

    private func readChunk() { change { $0.readArrived(now: clock.now()) } }

    private func readEnd() {
        let isReset = incoming.isReset
        change {
            $0.transportEnded(
                isReset
                    ? "the connection broke: Connection reset by peer" : "\(settings.peer) closed the connection")
        }
    }

    // MARK: Slow connections

    /// Delivers each chunk after the pause, in a task of this end.
    func startRelaying() {
        tasks.adopt(
            Task {
                while await self.waitForRoom(), let chunks = try? await self.incoming.receive() {
                    self.counterpart?.readArrived()
                    for chunk in chunks {
                        guard await self.waitForRoom(), (try? await self.clock.sleep(for: self.settings.pause)) != nil
                        else { return }
                        if self.incoming.isReset { break }
                        self.state.withLock { $0.arrived.append(chunk) }
                        self.readArrived()
                    }
                }
                guard !Task.isCancelled else { return }
                self.state.withLock { $0.hasRelayedAll = true }
                self.readArrived()
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

    // MARK: Scripts

    /// Reads the next chunk, waiting until there is one. Returns false if no more can arrive.
    ///
    /// Only one task can read at a time. Cancellation loses nothing.
    func readSome() async throws(MessagePipe<Bytes>.Refusal) -> Bool {
        guard state.withLock({ $0.beginReading() }) else { throw Task.isCancelled ? .cancelled : .busy }
        defer { state.withLock { _ = $0.endReading() } }
        guard ending == nil else { return false }
        try await waitForAnswersToLeave()
        if state.withLock({ $0.arrived.isEmpty }), let chunks = try await incoming.receive() {
            state.withLock { $0.arrived = chunks[...] }
            counterpart?.readArrived()
        }
        if settings.pause > .zero, state.withLock({ !$0.arrived.isEmpty }) {
            guard (try? await clock.sleep(for: settings.pause)) != nil else { throw .cancelled }
        }
        if incoming.isReset || state.withLock({ $0.arrived.isEmpty }) { readEnd() } else { readChunk() }
        return ending == nil
    }

    /// Waits while twice the limit is in transit to the peer.
    private func waitForAnswersToLeave() async throws(MessagePipe<Bytes>.Refusal) {
        while let id = outgoing.registerSender(beyond: 2) {
            await outgoing.wait(id)
            if Task.isCancelled { throw .cancelled }
        }
    }
}

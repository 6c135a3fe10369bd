internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// Drives one end of an in-memory WebSocket over two pipes of bytes, with the tasks of that end.
final class PairEnd: Sendable {
    enum SendAction: Sendable {
        /// That many messages, or one frame, are in the pipe.
        case taken(Int)
        case wait(WaiterList<Void>.ID)
        case ended
    }

    let settings: PairSettings
    let incoming: MessagePipe<Bytes>
    let outgoing: MessagePipe<Bytes>
    let state: Mutex<PairEndState>
    let tasks = PairTasks()
    private let other = Mutex(Other())

    private struct Other {
        weak var end: PairEnd?
    }

    private init(_ settings: PairSettings, incoming: MessagePipe<Bytes>, outgoing: MessagePipe<Bytes>) {
        self.settings = settings
        self.incoming = incoming
        self.outgoing = outgoing
        state = Mutex(PairEndState(settings, now: settings.origin.clock.now()))
    }

    /// Connects two ends.
    ///
    /// - Parameter bufferBytes: The number of bytes in transit in one direction at which senders suspend.
    static func connect(
        _ client: PairSettings, _ server: PairSettings, bufferBytes: Int
    ) -> (client: PairEnd, server: PairEnd) {
        let limit = max(1, bufferBytes)
        let (toServer, toClient) = (MessagePipe<Bytes>(limit: limit), MessagePipe<Bytes>(limit: limit))
        let ends = (
            client: PairEnd(client, incoming: toClient, outgoing: toServer),
            server: PairEnd(server, incoming: toServer, outgoing: toClient)
        )
        ends.client.other.withLock { $0.end = ends.server }
        ends.server.other.withLock { $0.end = ends.client }
        for end in [ends.client, ends.server] {
            end.change { _ in }
            if !end.settings.isScripted, end.settings.pause > .zero { end.startRelaying() }
        }
        return ends
    }

    var clock: NetClock { settings.origin.clock }
    var ending: NetError? { state.withLock { $0.ending } }
    /// The other end; nil if it is gone.
    var counterpart: PairEnd? { other.withLock { $0.end } }

    /// Changes the state and performs the effects. The bytes to send enter the pipe in the order of the changes.
    @discardableResult
    func change<Value: Sendable>(_ body: (inout PairEndState) -> Value) -> Value {
        let (value, effects, isSilent) = state.withLock { state in
            let value = body(&state)
            let chunks = state.takeOutgoing()
            var effects = state.takeEffects()
            for chunk in chunks {
                if let receiver = outgoing.append(chunk, bytes: chunk.count) { effects.waiters.append(receiver) }
            }
            effects.hasWritten = !chunks.isEmpty
            return (value, effects, state.faults.isSilent)
        }
        perform(effects, isSilent: isSilent)
        return value
    }

    private func perform(_ effects: PairEffects, isSilent: Bool) {
        if let recorder = settings.recorder { for report in effects.reports { report(recorder) } }
        if let failure = effects.failure { fail(failure) }
        // The pipes end first, so that a cancelled task finds the end and not only its cancellation.
        if effects.hasEnded { endPipes(isSilent: isSilent) }
        if effects.resumesReading || effects.failure != nil { readArrived() }
        // The other end reads before a deadline is set, so that a test that advances a clock finds its reply.
        if effects.hasWritten || effects.hasEnded || effects.failure != nil { counterpart?.readArrived() }
        if effects.hasEnded {
            tasks.cancelAll()
        } else if let deadline = effects.deadline {
            tasks.set(deadline, on: clock) { [weak self] in self?.deadlinePassed() }
        }
        if effects.isHolding { incoming.hold() }
        if effects.wakesSenders { outgoing.wakeSenders() }
        for waiter in effects.waiters { waiter.resume() }
        for waiter in effects.pings { waiter.resume() }
        if let question = effects.question?() { change { $0.ask(question, now: clock.now()) } }
    }

    /// Ends the connection for the peer, unless nothing reaches the peer any more.
    private func endPipes(isSilent: Bool) {
        if isSilent {
            incoming.becomeSink()
        } else {
            outgoing.end()
            incoming.end(dropping: true)
        }
    }

    /// Ends the connection in both directions.
    private func fail(_ failure: WebSocketFaults.Failure) {
        outgoing.end(dropping: failure == .reset)
        incoming.end(dropping: failure == .reset)
    }

    private func deadlinePassed() { change { $0.deadlinePassed(now: clock.now()) } }

    // MARK: Sending

    /// Sends if there is room and no other task is sending a message in parts.
    ///
    /// - Parameter isPart: True for a part of a message, for which others wait.
    func send(isPart: Bool = false, _ body: (inout PairEndState, _ room: Int) -> Int) -> SendAction {
        change { state in
            guard state.isAccepting else { return .ended }
            if !isPart, state.isInParts { return .wait(outgoing.registerSenderForTurn()) }
            if let id = outgoing.registerSender() { return .wait(id) }
            return .taken(body(&state, outgoing.room))
        }
    }

    /// Sends if there is room and no other task is sending a message in parts. Otherwise, or if nothing is accepted any
    /// more, returns false.
    func sendImmediately(_ body: (inout PairEndState) -> Void) -> Bool {
        change { state in
            guard state.isAccepting, !state.isInParts, outgoing.room > 0 else { return false }
            body(&state)
            return true
        }
    }

    /// Suspends until the connection has ended, even if the task is cancelled.
    func waitForEnd() async {
        guard let id = state.withLock({ $0.waitForEnd() }) else { return }
        await withUnsafeContinuation { continuation in
            state.withLock { $0.tasks.suspend(id, continuation, fallback: ()) }?.resume()
        }
    }
}

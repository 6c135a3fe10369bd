internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// The calls that are currently shared.
final class CoalescedFlights: Sendable {
    private let flights = Mutex<[RequestFingerprint: CoalescedFlight]>([:])

    /// Joins the flight of a fingerprint, or creates one; `isFirst` is true if it was created. The caller must wait
    /// for the flight that it joins.
    func join(
        _ print: RequestFingerprint, _ make: (CoalescedFlights) -> CoalescedFlight
    ) -> (CoalescedFlight, isFirst: Bool) {
        flights.withLock { flights in
            if let flight = flights[print], flight.join() { return (flight, false) }
            let flight = make(self)
            flights[print] = flight
            return (flight, true)
        }
    }

    func leave(_ print: RequestFingerprint, _ flight: CoalescedFlight) {
        flights.withLock { if $0[print] === flight { $0[print] = nil } }
    }
}

/// One call that several callers wait for. It begins when the first one waits.
///
/// | state | a caller joins | a caller leaves | the call ends |
/// |---|---|---|---|
/// | running | counted | no longer counted; the last one cancels it | all callers resume |
/// | over | refused | – | – |
final class CoalescedFlight: Sendable {
    typealias Outcome = Result<SharedAnswer, NetError>

    private struct State {
        var count = 1
        var outcome: Outcome?
        var task: Task<Void, Never>?
        var waiters = WaiterList<Outcome?>()
        var hasLeft: Set<WaiterList<Outcome?>.ID> = []
    }

    /// The deadline of the first caller's call; nil for no limit.
    let deadline: Duration?
    private let state = Mutex(State())
    private let work: @Sendable (CoalescedFlight) async -> Outcome

    init(deadline: Duration?, _ work: @escaping @Sendable (CoalescedFlight) async -> Outcome) {
        self.deadline = deadline
        self.work = work
    }

    /// Adds a caller that will wait; returns false if no caller is left.
    func join() -> Bool {
        state.withLock { state in
            guard state.count > 0 else { return false }
            state.count += 1
            return true
        }
    }

    /// Returns the outcome; nil if this caller's call or its task ended first. If a response can't be shared, only
    /// the first caller gets its body.
    func wait(isFirst: Bool, _ context: CallContext) async -> Outcome? {
        let id = state.withLock { $0.waiters.register() }
        if isFirst {
            let task = Task { self.end(await work(self)) }
            state.withLock { $0.task = task }
        }
        let outcome: Outcome? = await context.untilEnded {
            await withUnsafeContinuation { continuation in
                state.withLock { state in
                    if let outcome = state.outcome { _ = state.waiters.release(id, with: outcome) }
                    return state.waiters.suspend(id, continuation, fallback: nil)
                }?.resume()
            }
        } giveUp: { [self] in
            leave(id)
        }
        state.withLock { _ = $0.hasLeft.remove(id) }
        guard case .success(let answer) = outcome else { return outcome }
        return .success(isFirst ? answer : answer.copy)
    }

    private func leave(_ id: WaiterList<Outcome?>.ID) {
        let (waiter, task) = state.withLock { state -> (WaiterList<Outcome?>.Waiter?, Task<Void, Never>?) in
            // Called twice if the call ends and its task is cancelled too.
            guard state.hasLeft.insert(id).inserted else { return (nil, nil) }
            state.count -= 1
            return (state.waiters.release(id, with: nil), state.count == 0 ? state.task : nil)
        }
        waiter?.resume()
        task?.cancel()
    }

    private func end(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            state.task = nil
            return state.waiters.releaseAll(with: outcome)
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// A response in a form that several callers can share.
struct SharedAnswer: Sendable {
    /// The response; nil for callers that must send their own requests.
    let response: StreamedResponse?
    private let isShareable: Bool

    /// Collects the body, up to a limit. A stream of unknown length isn't shared: otherwise, the first caller would
    /// receive its events only after the stream has ended.
    init(_ response: StreamedResponse, isStreamed: Bool, limit: Int) async throws(NetError) {
        guard response.body.whole == nil else {
            self.response = response
            isShareable = true
            return
        }
        let announced = response.head[.contentLength].flatMap { Int($0) }
        guard response.body.cut == nil, !isStreamed || announced ?? .max <= limit else {
            self.response = response
            isShareable = false
            return
        }
        var collected = response
        let isWhole: Bool
        (collected.body, isWhole) = try await response.body.collected(upTo: limit)
        self.response = collected
        isShareable = isWhole
    }

    private init(response: StreamedResponse?) {
        self.response = response
        isShareable = true
    }

    /// The response for every caller but the first. Its headers don't count as just received, so that cookies are set
    /// only once.
    var copy: SharedAnswer {
        guard isShareable, var response, response.difference == nil else { return SharedAnswer(response: nil) }
        response.news = response.news ?? [:]
        return SharedAnswer(response: response)
    }
}

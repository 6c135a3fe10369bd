#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore

/// The state of one attempt, between URLSession's events and the caller that consumes the response.
///
/// | event | before the head | body arrives | ended |
/// |---|---|---|---|
/// | `responded` | body arrives | – | – |
/// | `received` | – | kept; suspend at the high mark, end above the limit | dropped |
/// | `moved`, `sentAll` | the silence begins anew | the silence begins anew | – |
/// | `finished` | ended | ended, bytes stay readable | the first end stays |
/// | `take` | wait | a chunk, resume when half is left; else wait | chunks, then the end |
/// | `check` | late after the first-byte limit (the stall limit while sending) or the total | late after stall or
/// total | – |
struct URLSessionStateMachine {
    /// The event that the caller is waiting for.
    enum Milestone { case head, chunk, end }

    /// The action for the task after bytes have arrived.
    enum ReceiveAction: Equatable {
        case goOn, suspend
        case tooLarge(Int)
    }

    /// The result of a read.
    enum TakeAction {
        case chunk(Bytes, resumesTask: Bool)
        case end(NetError?)
        case wait
    }

    /// The result of checking the limits, with the time of the next check.
    enum CheckAction: Equatable {
        case again(after: Duration)
        case late(Lateness)
        case nothing
    }

    /// The limit that was exceeded.
    enum Lateness: Equatable {
        case firstByte(Duration)
        case sending(Duration)
        case stall(Duration)
        case total
    }

    private enum State {
        case waiting
        case receiving(ResponseHead)
        case ended(ResponseHead?, NetError?)
    }

    private let delivery: BodyDelivery
    private let timeouts: Timeouts
    private let deadline: Duration?
    private let highMark: Int
    private var state = State.waiting
    private var chunks: [Bytes] = []
    /// The index of the next chunk to return.
    private var first = 0
    private var buffered = 0
    private var isSuspended = false
    /// True while the request's body has nothing to send: silence is then the client's fault.
    private var isStarved = false
    /// True until a streamed request body has been sent.
    private(set) var isSending: Bool
    private var lastActivity: Duration
    /// The number of body bytes received so far.
    private(set) var received: Int64 = 0

    init(
        delivery: BodyDelivery, timeouts: Timeouts, deadline: Duration?, highMark: Int, isSending: Bool = false,
        now: Duration
    ) {
        self.isSending = isSending
        self.delivery = delivery
        self.timeouts = timeouts
        self.deadline = deadline
        self.highMark = highMark
        lastActivity = now
    }

    /// The head, once it has arrived.
    var head: ResponseHead? {
        switch state {
        case .waiting: nil
        case .receiving(let head): head
        case .ended(let head, _): head
        }
    }

    /// True if the end was reached, even if unread bytes remain.
    var hasEnded: Bool { if case .ended = state { true } else { false } }

    /// The reason why it ended before the response was complete.
    var error: NetError? { if case .ended(_, let error) = state { error } else { nil } }

    func isReached(_ milestone: Milestone) -> Bool {
        switch milestone {
        case .head: head != nil || hasEnded
        case .chunk: buffered > 0 || hasEnded
        case .end: hasEnded
        }
    }

    // MARK: URLSession

    mutating func responded(_ head: ResponseHead, now: Duration) {
        guard case .waiting = state else { return }
        state = .receiving(head)
        lastActivity = now
    }

    mutating func received(_ bytes: Bytes, now: Duration) -> ReceiveAction {
        guard case .receiving = state, !bytes.isEmpty else { return .goOn }
        lastActivity = now
        received += Int64(bytes.count)
        if case .collected(let limit) = delivery, received > Int64(limit) { return .tooLarge(limit) }
        chunks.append(bytes)
        buffered += bytes.count
        guard delivery == .streamed, !isSuspended, buffered >= highMark else { return .goOn }
        isSuspended = true
        return .suspend
    }

    /// Part of the request's body was sent, or its producer fell behind or caught up.
    mutating func moved(isStarved: Bool?, now: Duration) {
        if let isStarved { self.isStarved = isStarved }
        lastActivity = now
    }

    /// The whole request body was sent.
    mutating func sentAll(now: Duration) {
        isSending = false
        moved(isStarved: false, now: now)
    }

    mutating func finished(_ error: NetError?, version: String = "") {
        switch state {
        case .waiting: state = .ended(nil, error)
        case .receiving(var head):
            if head.version.isEmpty { head.version = version }
            state = .ended(head, error)
        case .ended: break
        }
    }

    // MARK: Reader

    mutating func take(now: Duration) -> TakeAction {
        guard first < chunks.count else {
            if case .ended(_, let error) = state { return .end(error) }
            return .wait
        }
        let chunk = chunks[first]
        chunks[first] = Bytes()
        first += 1
        if first == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            first = 0
        }
        buffered -= chunk.count
        let resumes = isSuspended && buffered <= highMark / 2
        if resumes {
            isSuspended = false
            lastActivity = now
        }
        return .chunk(chunk, resumesTask: resumes)
    }

    /// Returns the whole body, for a collected response.
    mutating func takeAll() -> Bytes {
        defer { discard() }
        return buffered == 0 ? Bytes() : Bytes.join(Array(chunks[first...]), count: buffered)
    }

    /// Discards all chunks: the consumer is gone.
    mutating func discard() {
        chunks.removeAll()
        first = 0
        buffered = 0
    }

    // MARK: Time

    func check(now: Duration) -> CheckAction {
        let limit: Duration?
        switch state {
        case .waiting: limit = isStarved ? nil : isSending ? timeouts.stall : timeouts.firstByte
        case .receiving: limit = isSuspended ? nil : timeouts.stall
        case .ended: return .nothing
        }
        if let deadline, deadline <= now { return .late(.total) }
        let silence = limit.map { lastActivity + $0 - now }
        if let limit, let silence, silence <= .zero {
            return .late(head != nil ? .stall(limit) : isSending ? .sending(limit) : .firstByte(limit))
        }
        // The applicable limit may change in the meantime, when the head arrives or after a pause. Checking at least
        // as often as the shortest limit means that none is missed by more than its own length.
        let shortest = [timeouts.firstByte, timeouts.stall].compactMap(\.self).min()
        let next = [silence, shortest, deadline.map { $0 - now }].compactMap(\.self).min()
        return next.map { .again(after: max($0, .milliseconds(1))) } ?? .nothing
    }
}
#endif

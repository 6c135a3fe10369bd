#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore

/// One attempt between URLSession, which reports, and its caller, who takes.
///
/// | event | before the head | body arrives | ended |
/// |---|---|---|---|
/// | `responded` | body arrives | – | – |
/// | `received` | – | kept; suspend at the high mark, end above the limit | dropped |
/// | `moved` | the silence begins anew | the silence begins anew | – |
/// | `finished` | ended | ended, bytes stay readable | the first end stays |
/// | `take` | wait | a chunk, resume when half is left; else wait | chunks, then the end |
/// | `check` | late after the first-byte limit or the total | late after the stall limit or the total | nothing |
struct URLSessionStateMachine {
    /// What the caller waits for.
    enum Milestone { case head, chunk, end }

    /// What to do with the task after bytes came.
    enum ReceiveAction: Equatable {
        case goOn, suspend
        case tooLarge(Int)
    }

    /// What a reader gets.
    enum TakeAction {
        case chunk(Bytes, resumesTask: Bool)
        case end(NetError?)
        case wait
    }

    /// Whether a limit has passed; when to look again.
    enum CheckAction: Equatable {
        case again(after: Duration)
        case late(Lateness)
        case nothing
    }

    /// Which limit passed.
    enum Lateness: Equatable {
        case firstByte(Duration)
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
    /// The next chunk to hand out.
    private var first = 0
    private var buffered = 0
    private var isSuspended = false
    /// The request's body has nothing to send: silence is ours.
    private var isStarved = false
    private var lastActivity: Duration
    /// Bytes of the body so far.
    private(set) var received: Int64 = 0

    init(delivery: BodyDelivery, timeouts: Timeouts, deadline: Duration?, highMark: Int, now: Duration) {
        self.delivery = delivery
        self.timeouts = timeouts
        self.deadline = deadline
        self.highMark = highMark
        lastActivity = now
    }

    /// The head, once it came.
    var head: ResponseHead? {
        switch state {
        case .waiting: nil
        case .receiving(let head): head
        case .ended(let head, _): head
        }
    }

    /// Whether the end was reached, whatever is left to read.
    var hasEnded: Bool { if case .ended = state { true } else { false } }

    /// Why it ended before the response was whole.
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

    /// Part of the request's body left, or its producer fell behind or caught up.
    mutating func moved(isStarved: Bool?, now: Duration) {
        if let isStarved { self.isStarved = isStarved }
        lastActivity = now
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

    /// The whole body, for a caller who wanted it collected.
    mutating func takeAll() -> Bytes {
        defer { discard() }
        return buffered == 0 ? Bytes() : Bytes.join(Array(chunks[first...]), count: buffered)
    }

    /// The reader is gone: nothing is kept.
    mutating func discard() {
        chunks.removeAll()
        first = 0
        buffered = 0
    }

    // MARK: Time

    func check(now: Duration) -> CheckAction {
        let limit: Duration?
        switch state {
        case .waiting: limit = isStarved ? nil : timeouts.firstByte
        case .receiving: limit = isSuspended ? nil : timeouts.stall
        case .ended: return .nothing
        }
        if let deadline, deadline <= now { return .late(.total) }
        let silence = limit.map { lastActivity + $0 - now }
        if let limit, let silence, silence <= .zero {
            return .late(head == nil ? .firstByte(limit) : .stall(limit))
        }
        // What counts changes meanwhile: when the head comes, and after a pause. No limit is missed by more than itself.
        let shortest = [timeouts.firstByte, timeouts.stall].compactMap(\.self).min()
        let next = [silence, shortest, deadline.map { $0 - now }].compactMap(\.self).min()
        return next.map { .again(after: max($0, .milliseconds(1))) } ?? .nothing
    }
}
#endif

/// The entry of a job of which several processes have recorded a part: a pure function of the stored entry and a new
/// one.
///
/// | the parts | the entry ends as |
/// |---|---|
/// | one was completed or cancelled | that one: nothing follows such an end |
/// | neither was | the part with the later activity; of two at the same time, the one that ended |
/// | a part without an attempt that repeats a failure, or that was cut off after one | the failure |
///
/// The entry begins with the first activity of any process. Its attempts are those of all parts; an attempt that both
/// parts contain counts once, so that two processes that record the same job change nothing.
struct JobMerge {
    /// A part of the job, and the time of its last activity in microseconds since 1970.
    struct Part {
        var draft: ItemDraft
        var last: Int64
        var attempts: [JobAttempt]
    }

    let stored: Part
    let new: Part

    /// The changed entry; nil if the new part changes nothing.
    var changed: Part? {
        let (old, isNewer) = (stored.draft, newPartDecides)
        let draft = ItemDraft(job: isNewer ? new.draft : old)
        let other = isNewer ? old : new.draft
        let begin = min(old.startedAt, new.draft.startedAt)
        draft.duration = draft.duration.map { max(0, end(draft.startedAt, $0).subtractingOrMin(begin)) }
        draft.startedAt = begin
        (draft.name, draft.url, draft.detail) = (
            draft.name ?? other.name, draft.url ?? other.url, draft.detail ?? other.detail
        )
        draft.requestBytes = draft.requestBytes ?? other.requestBytes
        draft.responseBytes = draft.responseBytes ?? other.responseBytes
        let attempts = joinedAttempts
        draft.attemptCount = max(attemptCount, attempts.count)
        let isSame =
            !isNewer && begin == old.startedAt && attempts == stored.attempts
            && draft.attemptCount == old.attemptCount
        if isSame { return nil }
        let kept =
            attempts.count > ItemDraft.maximumAttempts
            ? Array(attempts.prefix(ItemDraft.maximumAttempts - 1)) + attempts.suffix(1) : attempts
        return Part(draft: draft, last: max(stored.last, new.last), attempts: kept)
    }

    // MARK: The end

    private var newPartDecides: Bool {
        let (old, draft) = (stored.draft, new.draft)
        if old.outcome == .failed, !hasAttempted {
            if draft.outcome == .cutOff { return false }
            let isSameFailure = draft.failure == nil || draft.failure?.code == old.failure?.code
            if draft.outcome == .failed, isSameFailure { return false }
        }
        let (known, coming) = (old.outcome.finality, draft.outcome.finality)
        if known.isLast != coming.isLast { return coming.isLast }
        return (new.last, coming.rank) > (stored.last, known.rank)
    }

    /// True if the process of the new part has made an attempt.
    private var hasAttempted: Bool {
        !new.attempts.isEmpty || new.draft.attemptCount > 0 && new.draft.job?.countsFromStart != false
    }

    // MARK: Attempts

    /// The attempts of both parts, by their start.
    private var joinedAttempts: [JobAttempt] {
        var joined = stored.attempts
        for attempt in new.attempts {
            guard let place = joined.firstIndex(where: { $0.call == attempt.call }) else {
                joined.append(attempt)
                continue
            }
            if joined[place].end == nil, attempt.end != nil { joined[place] = attempt }
        }
        return joined.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }

    /// The number of attempts. A process that has restored a job counts from the start; one that has found it in a
    /// shared file goes on counting.
    private var attemptCount: Int {
        let (old, draft) = (stored.draft, new.draft)
        let begin = draft.job?.begin ?? draft.startedAt
        let isSameTime = begin < stored.last || begin == old.startedAt
        let isAdded = !isSameTime && draft.job?.countsFromStart != false
        return isAdded ? old.attemptCount + draft.attemptCount : max(old.attemptCount, draft.attemptCount)
    }

    private func end(_ start: Int64, _ duration: Int64) -> Int64 {
        let (sum, overflow) = start.addingReportingOverflow(duration)
        return overflow ? .max : sum
    }
}

extension JobMerge.Part {
    /// The part that a draft contains.
    init(_ draft: ItemDraft, run: Int64) {
        let end = draft.startedAt.addingReportingOverflow(draft.duration ?? 0)
        self.init(
            draft: draft, last: draft.job?.last ?? (end.overflow ? .max : end.partialValue),
            attempts: draft.job?.attempts ?? [])
        for index in attempts.indices { attempts[index].run = attempts[index].run ?? draft.run ?? run }
    }
}

extension StoredItem.Outcome? {
    /// True if no other end follows this one; and the order of ends at the same time.
    fileprivate var finality: (isLast: Bool, rank: Int) {
        switch self {
        case .completed: (true, 4)
        case .cancelled: (true, 3)
        case .failed, .rejected: (false, 2)
        case .cutOff: (false, 1)
        case nil: (false, 0)
        }
    }
}

extension Int64 {
    /// Returns the difference, or `Int64.min` on overflow.
    fileprivate func subtractingOrMin(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .min : difference
    }
}

internal import NetCore

/// Assembles entries from recorded parts, each of which is added exactly once.
///
/// | added | if the entry is under way | if it isn't known |
/// |---|---|---|
/// | an event | changes it | begins it, since its beginning may have been dropped |
/// | its end | finishes it | begins and finishes it |
/// | the loss of its end | finishes it as cut off | – |
/// | a captured part | marks it, so that its row is written too | – |
struct ItemAssembly {
    /// The maximum number of entries under way in memory; beyond it, the one that began first counts as cut off.
    let maximumOpen: Int

    private var open: [ItemKey: ItemDraft] = [:]
    /// Entries under way that have changed since they were last written, oldest change first.
    private(set) var changed: [ItemDraft] = []
    private(set) var batch: UInt64 = 0
    /// The jobs that own calls that haven't begun yet.
    private var owners: [CallID: CallID] = [:]

    init(maximumOpen: Int = 65_536) { self.maximumOpen = maximumOpen }

    /// Returns true if the entry is under way.
    func contains(_ key: ItemKey) -> Bool { open[key] != nil }

    /// Starts a batch: the entries added next belong to it.
    mutating func beginBatch() { batch += 1 }

    /// Adds a part and returns the item that it finishes, if any.
    mutating func add(_ entry: PendingEntry) -> ItemDraft? {
        switch entry {
        case .call(let event): return add(event)
        case .socket(let event): return add(event)
        case .job(let job): return add(job)
        case .log(let line): return ItemDraft(line)
        case .capture(let capture):
            mark(ItemKey(capture.call, .call))
            return nil
        case .message(let message):
            mark(ItemKey(message.socket, .socket))
            return nil
        case .lost(let end):
            return finish(end.key) { $0.outcome = .cutOff }
        }
    }

    /// Records the media types of a capture.
    func describe(_ row: CaptureRow) {
        open[ItemKey(row.call, .call)]?.describe(row)
    }

    /// Ends all entries under way as cut off, with durations up to `now`: no more events will arrive for them.
    mutating func cutOffAll(now: Int64) -> [ItemDraft] {
        let drafts = open.values.sorted { ($0.startedAt, $0.key.uid) < ($1.startedAt, $1.key.uid) }
        for draft in drafts {
            draft.outcome = .cutOff
            draft.duration = max(0, now.subtractingReportingOverflow(draft.startedAt).partialValue)
            draft.hasEnded = true
        }
        open = [:]
        changed = []
        return drafts
    }

    /// Discards all entries under way.
    mutating func removeAll() {
        open = [:]
        changed = []
    }

    /// Returns the changed entries that a batch writes: all of them, or those that have outlived the batch in which
    /// they changed and those that stored rows refer to.
    func opened(all: Bool) -> [ItemDraft] {
        guard !changed.isEmpty else { return [] }
        return changed.filter { draft in
            guard !draft.hasEnded else { return false }
            return all || draft.hasParts || draft.isStored || (draft.changedIn ?? batch) < batch
        }
    }

    /// Marks the rows of these entries as committed.
    mutating func wereStored(_ drafts: [ItemDraft]) {
        for draft in drafts {
            draft.isStored = true
            draft.changedIn = nil
        }
        changed.removeAll { $0.changedIn == nil || $0.hasEnded }
    }

    // MARK: Parts

    private mutating func draft(_ key: ItemKey, startedAt: @autoclosure () -> Int64) -> ItemDraft {
        if let draft = open[key] { return draft }
        let draft = ItemDraft(key, startedAt: startedAt())
        open[key] = draft
        return draft
    }

    private mutating func changes(_ draft: ItemDraft) {
        guard draft.changedIn == nil else { return }
        draft.changedIn = batch
        changed.append(draft)
    }

    private mutating func finish(_ key: ItemKey, _ change: (ItemDraft) -> Void) -> ItemDraft? {
        guard let draft = open.removeValue(forKey: key) else { return nil }
        draft.hasEnded = true
        change(draft)
        return draft
    }

    /// Records the job that owns a call.
    private mutating func own(_ call: CallID, by job: CallID) {
        if let draft = open[ItemKey(call, .call)] {
            draft.owner = job
        } else {
            if owners.count >= maximumOpen { owners = [:] }
            owners[call] = job
        }
    }

    private func mark(_ key: ItemKey) { open[key]?.hasParts = true }

    /// Makes room for one more entry under way; returns the entry that is displaced, if any.
    private mutating func makeRoom(for key: ItemKey) -> ItemDraft? {
        guard open.count >= maximumOpen, open[key] == nil,
            let oldest = open.values.min(by: { $0.startedAt < $1.startedAt })
        else { return nil }
        return finish(oldest.key) { $0.outcome = .cutOff }
    }

    private mutating func add(_ event: PendingEvent) -> ItemDraft? {
        let key = ItemKey(event.call, .call)
        let evicted = event.kind.isEnd ? nil : makeRoom(for: key)
        let draft = draft(key, startedAt: event.startedAt)
        if draft.method == nil {
            draft.describe(event)
            draft.owner = owners.removeValue(forKey: event.call)
        }
        switch event.kind {
        case .started(let requestBytes): draft.requestBytes = requestBytes
        case .attemptEnded(let attempt): draft.add(AttemptRow(attempt, of: event.call))
        case .retrying(let delay, let reason):
            draft.retries += 1
            if let last = draft.attempts.indices.last {
                draft.attempts[last].retryDelay = delay
                draft.attempts[last].retryReason = reason
            }
        case .cache(let decision): draft.cache = decision
        case .responded(let status): draft.status = status
        case .ended(let outcome):
            open[key] = nil
            draft.end(outcome, after: event.elapsed)
            return draft
        }
        changes(draft)
        return evicted
    }

    private mutating func add(_ event: PendingSocketEvent) -> ItemDraft? {
        let key = ItemKey(event.socket, .socket)
        let evicted = event.isEnd ? nil : makeRoom(for: key)
        let draft = draft(key, startedAt: event.startedAt)
        draft.url = event.url
        draft.describe(event.metadata)
        switch event.kind {
        case .opened(let subprotocol, let address):
            draft.remote = address
            draft.detail = subprotocol.map { "subprotocol \($0)" }
            changes(draft)
            return evicted
        case .closed(let ending):
            open[key] = nil
            draft.end(ending, after: event.elapsed)
            return draft
        }
    }

    private mutating func add(_ job: PendingJob) -> ItemDraft? {
        let key = ItemKey(job.job, .job)
        let evicted = job.end == nil ? makeRoom(for: key) : nil
        let draft = draft(key, startedAt: job.startedAt)
        draft.take(job)
        if let call = job.call { own(call, by: job.job) }
        guard let end = job.end else {
            changes(draft)
            return evicted
        }
        open[key] = nil
        draft.outcome = end.outcome
        draft.failure = end.failure
        draft.duration = max(0, job.occurredAt.subtractingReportingOverflow(draft.startedAt).partialValue)
        draft.hasEnded = true
        return draft
    }
}

extension ItemDraft {
    /// Records the media types of a capture.
    func describe(_ row: CaptureRow) {
        requestType = row.content.request?.type ?? requestType
        responseType = row.content.response?.type ?? responseType
    }

    /// Creates the item of a log line, which is finished from the start.
    convenience init(_ line: PendingLogLine) {
        self.init(ItemKey(line.uid, .log), startedAt: line.occurredAt)
        level = line.level
        name = line.label
        message = line.message
        detail = line.detail
        owner = line.owner
        hasEnded = true
    }

    fileprivate func describe(_ event: PendingEvent) {
        method = event.method
        url = event.url
        describe(event.metadata)
    }

    fileprivate func describe(_ metadata: RequestMetadata) {
        operation = metadata.operationName
        // A name that repeats the operation isn't stored twice.
        name = metadata.name == operation ? nil : metadata.name
        tags = metadata.tags
    }

    fileprivate func end(_ end: PendingEvent.Outcome, after elapsed: Int64) {
        outcome = end.outcome
        status = end.status ?? status
        failure = end.failure
        responseBytes = end.responseBytes ?? attempts.last?.responseBytes
        if requestBytes == nil { requestBytes = attempts.last?.requestBytes }
        duration = elapsed
        hasEnded = true
    }

    fileprivate func end(_ end: PendingSocketEvent.Ending, after elapsed: Int64) {
        outcome = end.failure == nil ? .completed : .failed
        status = end.code
        failure = end.failure
        requestBytes = end.sent.bytes
        responseBytes = end.received.bytes
        let counts = "\(end.sent.messages) messages sent, \(end.received.messages) received"
        detail = detail.map { "\($0), \(counts)" } ?? counts
        duration = elapsed
        hasEnded = true
    }

    fileprivate func take(_ job: PendingJob) {
        name = job.name ?? name
        url = job.url ?? url
        detail = job.detail ?? detail
        attemptCount = job.requests
        requestBytes = job.sentBytes ?? requestBytes
        responseBytes = job.receivedBytes ?? responseBytes
        totalBytes = job.totalBytes ?? totalBytes
        var progress = self.job ?? JobProgress(job)
        progress.take(job)
        self.job = progress
    }
}

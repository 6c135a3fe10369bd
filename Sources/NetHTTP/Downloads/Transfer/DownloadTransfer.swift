internal import HTTPTypes
internal import NetCore
internal import Synchronization

/// One download, from its first request to the file in its final place.
///
/// It repeats attempts until every byte has arrived. An attempt consists of one request, or of several concurrent
/// requests for ranges of the file, and continues with the bytes that the part file is missing.
final class DownloadTransfer: Sendable {
    /// The mutable state of a running download.
    struct State: Sendable {
        var plan = RangePlan(missing: [])
        var growth = RangeGrowth(maximum: 1, now: .zero)
        /// The pieces that haven't received any bytes yet.
        var fresh: Set<Int> = []
        /// The pieces whose transfers were ended by a network change.
        var interrupted: Set<Int> = []
        /// Requests another range; nil while one is enough.
        var signal: AsyncStream<RangeSignal>.Continuation?
        /// The number of bytes received in this run.
        var received: Int64 = 0
        /// The number of bytes received at the last check of the free space.
        var lastRoom: Int64 = 0
        /// The free space on the disk in bytes, at the beginning or after a wait.
        var room: Int64
        var links: DownloadLinks
        var attempts: DownloadAttempts
        /// The first bytes of the file, if they arrived in this run.
        var beginning: Bytes?
        /// The version of the file that is being loaded.
        var version: DownloadVersion?
        /// The expected digests of the file.
        var digests: [DigestAlgorithm: Bytes] = [:]
        var type: MediaType?
        /// The copy that the file is compared with; nil for none.
        var existing: ExistingCopy?
        /// The record of that copy; nil if there is none.
        var known: KnownFile?
        /// True once the task was cancelled.
        var isCancelled = false
        /// True if the next request is for the whole file, regardless of existing bytes.
        var wantsWhole = false
        /// True if the file is joined from several responses.
        var isJoined = false
        /// True if a joined file was wrong and had to be loaded again.
        var isRejoined = false
        /// False once a server has shown that it doesn't support ranges, or several concurrent ones.
        var mayDivide = true
        var restarts = 0
        var renewals = 0
        /// The number of bytes received at the first of these renewals.
        var renewedAt: Int64 = 0
    }

    /// The maximum number of restarts because the file has changed.
    static let maximumRestarts = 5
    /// The maximum number of consecutive new links without a received byte.
    static let maximumRenewals = 3
    /// The number of bytes after which the free space is checked again.
    static let roomStep: Int64 = 64 << 20

    let run: DownloadRun
    let job: DownloadJob
    let part: PartFile
    let hash = DownloadHash()
    let report: @Sendable (DownloadReport) -> Void
    let state: Mutex<State>
    let clock: NetClock

    init(
        _ run: DownloadRun, job: DownloadJob, part: PartFile, room: Int64,
        report: @escaping @Sendable (DownloadReport) -> Void
    ) {
        self.run = run
        self.job = job
        self.part = part
        self.report = report
        clock = run.client.configuration.clock
        state = Mutex(
            State(
                room: room, links: DownloadLinks(job.request),
                attempts: DownloadAttempts(
                    run.settings.retry, budget: run.settings.budget, bytes: part.received.count)))
    }

    /// The current link.
    var link: DownloadLinks.Link { state.withLock { $0.links.current } }

    /// The result of an attempt.
    enum Outcome: Sendable {
        /// Every byte has arrived.
        case loaded
        /// The transfer of a range has ended, because the others continue without it.
        case left
        /// The network has changed, and no more bytes arrived.
        case interrupted
        /// The existing file is current.
        case unchanged
        /// The same request may succeed later.
        case failed(RetryDecision.Result)
        /// The whole file must be requested.
        case startOver(DownloadAnswer.Reason)
        /// The link was refused with a status.
        case expired(status: Int)
        /// The server refuses the file.
        case rejected(status: Int, reason: String?)
        /// The cause of the failure isn't the server, or the task was cancelled.
        case ended(DownloadError)
    }

    /// Loads the file and moves it to its final place.
    func load() async throws(DownloadError) -> DownloadedFile {
        let (own, version) = (ownDigests, part.version)
        state.withLock { ($0.digests, $0.version) = (own, version) }
        hash.begin(Set(own.keys))
        if let file = try await existingFile() { return file }
        while true {
            guard !Task.isCancelled else { throw cancelled }
            let writer = makeWriter()
            do throws(DownloadError) {
                if let file = try await handle(await attempt(writer), writer) { return file }
            } catch {
                guard error.code == .insufficientDiskSpace else { throw error }
                try await waitForRoom(error)
            }
        }
    }

    /// Handles the outcome of an attempt. Returns the file once it's in its final place; nil for another attempt.
    private func handle(_ outcome: Outcome, _ writer: DownloadWriter) async throws(DownloadError) -> DownloadedFile? {
        if case .loaded = outcome { return try await finishUnlessWrong(writer) }
        try await writer.drain()
        switch outcome {
        case .loaded, .left, .interrupted: break
        case .unchanged: return try await leaveUnchanged()
        case .failed(let result): try await retry(after: result)
        case .startOver: try startOver()
        case .expired(let status):
            if try await renewLink(status) { break }
            guard nextLink() else { throw rejection(status, nil) }
        case .rejected(let status, let reason):
            guard nextLink() else { throw rejection(status, reason) }
        case .ended(let error): throw error
        }
        return nil
    }

    /// The digest from the caller's checksum.
    var ownDigests: [DigestAlgorithm: Bytes] {
        guard let checksum = job.request.checksum, let digest = checksum.digest else { return [:] }
        return [checksum.algorithm: digest]
    }

    /// Flushes the bytes received, after a failure or a pause.
    func close() async {
        let part = part
        // The error that ended the download takes precedence over an error here.
        try? await run.threads.run { () throws(DownloadError) in try part.close() }
    }

    private func startOver() throws(DownloadError) {
        let restarts = state.withLock { state in
            state.restarts += 1
            state.wantsWhole = true
            return state.restarts
        }
        guard restarts <= Self.maximumRestarts else {
            throw DownloadError(
                .changed, message: "the server sent another version or part of the file \(restarts) times; try later")
        }
    }

    private func retry(after result: RetryDecision.Result) async throws(DownloadError) {
        var request: PreparedRequest
        do throws(NetError) { request = try prepare(.init(), link) } catch { throw failure(error) }
        request.options.retry = .always
        let random = run.client.configuration.random.unit()
        let (date, again, bytes) = (clock.date(), request, part.received.count)
        let verdict = state.withLock { state in
            state.attempts.bytesCame(total: bytes)
            return state.attempts.failed(result, request: again, date: date, random: random)
        }
        switch verdict {
        case .again(let number, let wait):
            // A network change counts even if it happens before the wait begins.
            let changes = run.changes?.count ?? 0
            report(.attempt(number, after: wait, self.error(.network, for: result, note: nil)))
            await pause(for: wait, since: changes)
        case .stop:
            guard nextLink() else { throw error(.network, for: result, note: nil) }
        case .exhausted(let note):
            guard nextLink() else { throw error(.retriesExhausted, for: result, note: note) }
        }
    }

    /// Waits, but no longer than until the network changes.
    private func pause(for wait: Duration, since count: Int) async {
        if let changes = run.changes {
            await changes.wait(for: wait, since: count)
        } else {
            try? await clock.sleep(for: wait)
        }
    }

    /// Waits until there is enough space for the rest of the file.
    private func waitForRoom(_ error: DownloadError) async throws(DownloadError) {
        var error = error
        var waited = Duration.zero
        while true {
            let interval = run.settings.roomInterval
            if let limit = run.settings.roomTimeout, waited >= limit { throw error }
            waited += interval
            report(.noRoom(error, after: interval))
            do { try await clock.sleep(for: interval) } catch { throw cancelled }
            let folder = run.folder
            let free = try await run.threads.run { () throws(DownloadError) in try folder.freeBytes() }
            state.withLock { $0.room = free }
            guard let missing = noRoom(free: free) else { return }
            error = missing
        }
    }

    /// Returns an error if there isn't enough space for the missing part of the file.
    func noRoom(free: Int64) -> DownloadError? {
        noRoom(free: free, rest: part.version?.length.map { max(0, $0 - part.received.count) } ?? 0)
    }

    /// Returns an error if there isn't enough space for `rest` bytes; `free` is the free space on the disk.
    func noRoom(free: Int64, rest: Int64) -> DownloadError? {
        let kept = run.settings.keepsFree
        let required = kept.addingReportingOverflow(rest).partialValue
        guard free < required else { return nil }
        return DownloadError(
            .insufficientDiskSpace,
            message: "the disk has \(free) bytes free, and the download needs \(required), of which "
                + "\(kept) must stay free; free some space, and it continues",
            room: .init(required: required, available: free))
    }

    private func renewLink(_ status: Int) async throws(DownloadError) -> Bool {
        guard let renew = run.settings.renewedLink else { return false }
        let bytes = part.received.count
        let isAllowed = state.withLock { state in
            if bytes > state.renewedAt { (state.renewals, state.renewedAt) = (0, bytes) }
            state.renewals += 1
            return state.links.isOriginal && state.renewals <= Self.maximumRenewals
        }
        guard isAllowed, let request = await renew(job, status) else { return false }
        var identity = job.identity
        identity.url = request.url
        let (folder, changed) = (run.folder, identity)
        try await run.threads.run { () throws(DownloadError) in try folder.change(changed) }
        state.withLock { $0.links.renew(request) }
        return true
    }

    /// Continues with the next mirror; returns false if there is none.
    private func nextLink() -> Bool {
        state.withLock { state in
            guard state.links.drop() else { return false }
            state.attempts.begin()
            return true
        }
    }
}

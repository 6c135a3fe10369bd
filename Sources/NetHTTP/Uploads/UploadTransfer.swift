internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One upload, from its first request to the response of the last.
///
/// It repeats steps until the server has every byte: discover the server's protocol, begin the upload, request the
/// offset, send bytes.
struct UploadTransfer {
    /// The result of a step.
    enum Outcome {
        /// The server has the whole file. The response is nil if it was lost.
        case done(ResponseHead?, Bytes)
        /// Another step follows.
        case next
        /// The same request may succeed later.
        case failed(RetryDecision.Result)
        /// Another request of the upload is still running; the value is the `Retry-After` header.
        case locked(retryAfter: String?)
        /// The server has forgotten the upload.
        case gone
        /// The file was changed.
        case changed
        case ended(DownloadError)
    }

    /// The maximum number of restarts until the server has more bytes than ever before.
    static let maximumRestarts = 5
    /// The maximum size of a file that is sent with the creation request. If such a request is interrupted, there may
    /// be nothing to resume.
    static let maximumFirstBytes: Int64 = 1 << 20
    /// The sizes of requests that are tried in turn after a 413. The last one is the default limit of nginx.
    static let smallerRequests: [Int64] = [64 << 20, 8 << 20, 1 << 20]
    /// The number of bytes in a request with a checksum; a wrong checksum requires sending them again.
    static let checkedBytes: Int64 = 16 << 20
    /// The attempts for a locked upload: with the waits of the default policy, about half an hour.
    static let lockedAttempts = 60

    /// The maximum time for the deletion of an upload.
    static let maximumDeletion = Duration.seconds(10)

    let run: UploadRun
    let job: DownloadJob
    let report: @Sendable (DownloadReport) -> Void
    /// The upload as stored in its journal.
    var upload: UploadIdentity
    var source: UploadSource?
    /// The server; nil until discovered.
    var server: UploadServer?
    /// The number of bytes that the server has; nil if it must be requested.
    var offset: Int64?
    /// The maximum number of bytes that the server has ever had.
    private var mostBytes: Int64 = 0
    /// The maximum size of a request after a 413.
    var smallerRequest: Int64?
    /// The digest of the whole file, once it's known.
    var digest: Bytes?
    private var restarts = 0
    /// The number of times that the server rejected bytes at the offset it had reported, since the last progress.
    var conflicts = 0
    private var attempts: DownloadAttempts
    private var lockedAttempts: DownloadAttempts

    init(
        _ run: UploadRun, job: DownloadJob, upload: UploadIdentity, report: @escaping @Sendable (DownloadReport) -> Void
    ) {
        self.run = run
        self.job = job
        self.upload = upload
        self.report = report
        server = upload.resource?.server
        attempts = DownloadAttempts(run.settings.retry, budget: run.settings.budget, bytes: 0)
        var patient = run.settings.retry
        patient.maximumAttempts = Self.lockedAttempts
        lockedAttempts = DownloadAttempts(patient, budget: nil, bytes: 0)
    }

    /// Sends the file.
    mutating func send() async throws(DownloadError) -> UploadedFile {
        try await open()
        while true {
            guard !Task.isCancelled else { throw cancelled }
            switch await step() {
            case .done(let response, let body): return try await finish(response, body)
            case .next: break
            case .failed(let result):
                reportLoss()
                try await retry(after: result)
            case .locked(let retryAfter): try await waitForLock(retryAfter)
            case .gone: try await begin(anew: "the server no longer knows the upload", deleting: false)
            case .changed:
                try await begin(anew: "the file was changed while it was being sent", deleting: true)
                try await open()
            case .ended(let error):
                reportLoss()
                throw error
            }
        }
    }

    /// Resets the reported progress to zero if there is nothing to resume.
    private func reportLoss() {
        if upload.resource == nil { report(.bytes(0)) }
    }

    /// Runs the next step.
    private mutating func step() async -> Outcome {
        guard let source else { return .ended(cancelled) }
        guard let server else { return await discover(source) }
        guard let resource = upload.resource else { return await create(on: server, source) }
        if let expires = resource.expires, expires <= run.client.configuration.clock.date().timeIntervalSince1970 {
            return .gone
        }
        guard let offset else { return await ask(resource, source) }
        return await sendBytes(from: offset, to: resource, source)
    }

    // MARK: - The file

    /// Opens the file, and starts over if it differs from the one with which the upload began.
    private mutating func open() async throws(DownloadError) {
        let path = upload.file
        let opened = try await run.threads.run { () throws(DownloadError) in try UploadSource(path: path) }
        source = opened
        if let known = upload.fingerprint, known != opened.fingerprint, let resource = upload.resource {
            await delete(resource)
            forget()
        }
        if upload.fingerprint != opened.fingerprint {
            upload.fingerprint = opened.fingerprint
            await run.settings.keepUpload?(job.id, upload)
        }
        report(.began(total: opened.length, bytes: 0, name: upload.name))
    }

    private mutating func forget() {
        upload.resource = nil
        (server, offset, digest) = (nil, nil, nil)
    }

    /// Abandons the upload on the server, and starts over.
    private mutating func begin(anew reason: String, deleting: Bool) async throws(DownloadError) {
        restarts += 1
        guard restarts <= Self.maximumRestarts else {
            throw DownloadError(.changed, message: "\(reason), \(restarts) times; try later")
        }
        if deleting, let resource = upload.resource { await delete(resource) }
        forget()
        await run.settings.keepUpload?(job.id, upload)
        report(.bytes(0))
    }

    /// Applies the number of bytes that the server reports.
    mutating func take(offset bytes: Int64?) {
        offset = bytes
        guard let bytes else { return }
        attempts.bytesCame(total: bytes)
        lockedAttempts.bytesCame(total: bytes)
        if bytes > mostBytes {
            mostBytes = bytes
            (restarts, conflicts) = (0, 0)
        }
        report(.bytes(bytes))
    }

    /// Stores the upload resource, also in the journal for another process.
    mutating func keep(_ resource: UploadResource) async {
        guard upload.resource != resource else { return }
        upload.resource = resource
        server = resource.server
        await run.settings.keepUpload?(job.id, upload)
    }

    private func finish(_ response: ResponseHead?, _ body: Bytes) async throws(DownloadError) -> UploadedFile {
        let length = source?.length ?? 0
        if let digest, let found = response?.headers.digests(.reprDigest)[.sha256], found != digest {
            throw DownloadError(
                .checksumMismatch,
                message:
                    "the server has a file with the SHA-256 digest \(found.hexadecimal) instead of \(digest.hexadecimal); upload "
                    + "it again")
        }
        try await run.removeJournal(job.id)
        report(.bytes(length))
        return UploadedFile(
            path: upload.file, bytes: length, uploadProtocol: usedProtocol,
            location: response.flatMap { location(of: $0, at: upload.resource?.url ?? job.request.url) }
                ?? upload.resource?.url,
            response: response, body: body)
    }

    private var usedProtocol: UploadProtocol {
        switch server?.kind {
        case .tus: .tus
        case .resumable: .resumable
        case .unknown, .plain, nil: upload.resource == nil ? .plain : .resumable
        }
    }

    // MARK: - Waits

    private mutating func retry(after result: RetryDecision.Result) async throws(DownloadError) {
        // Only the server knows how many bytes it has now.
        offset = nil
        let (date, random) = (run.client.configuration.clock.date(), run.client.configuration.random.unit())
        let request = try repeated()
        switch attempts.failed(result, request: request, date: date, random: random) {
        case .again(let number, let wait):
            await pause(for: wait, attempt: number, error(.network, for: result, note: nil))
        case .stop: throw error(.network, for: result, note: nil)
        case .exhausted(let note): throw error(.retriesExhausted, for: result, note: note)
        }
    }

    private mutating func waitForLock(_ retryAfter: String?) async throws(DownloadError) {
        offset = nil
        let (date, random) = (run.client.configuration.clock.date(), run.client.configuration.random.unit())
        // Any retriable status works: the rules for waits are the same.
        let result = RetryDecision.Result.response(status: 503, retryAfter: retryAfter)
        let locked = RetryDecision.Result.response(status: 423, retryAfter: retryAfter)
        switch lockedAttempts.failed(result, request: try repeated(), date: date, random: random) {
        case .again(let number, let wait):
            await pause(for: wait, attempt: number, error(.rejected, for: locked, note: nil))
        case .stop: throw error(.rejected, for: locked, note: nil)
        case .exhausted(let note): throw error(.retriesExhausted, for: locked, note: note)
        }
    }

    /// Returns a stand-in for the request to repeat. Protocol steps may always be repeated; a plain upload depends on
    /// its method.
    private func repeated() throws(DownloadError) -> PreparedRequest {
        do throws(NetError) {
            var request = try prepare(HTTPRequest.Method(upload.method) ?? .post, job.request.url, [:], nil)
            let isPlain = upload.resource == nil && (server?.kind == .unknown || server?.kind == .plain)
            request.options.retry = isPlain ? .idempotentMethods : .always
            return request
        } catch {
            throw failure(error)
        }
    }

    /// Waits, but no longer than until the network changes.
    private func pause(for wait: Duration, attempt: Int, _ error: DownloadError) async {
        let count = run.changes?.count ?? 0
        report(.attempt(attempt, after: wait, error))
        if let changes = run.changes {
            await changes.wait(for: wait, since: count)
        } else {
            try? await run.client.configuration.clock.sleep(for: wait)
        }
    }
}

extension UploadTransfer {
    var cancelled: DownloadError {
        DownloadError(.cancelled, message: "the upload was paused or cancelled; the bytes transferred are kept")
    }

    /// Returns the error of a call that isn't retried.
    func failure(_ error: NetError) -> DownloadError {
        if error.code == .invalidRequest {
            return DownloadError(
                .invalidURL, message: "the URL can't be requested: \(error.message)", underlying: error)
        }
        let code: DownloadError.Code = error.code == .authentication ? .authentication : .network
        return DownloadError(code, message: "the file couldn't be uploaded: \(error.reason)", underlying: error)
    }

    /// Returns the error of an attempt, with a note about the attempts.
    func error(_ code: DownloadError.Code, for result: RetryDecision.Result, note: String?) -> DownloadError {
        let end = note.map { "; \($0)" } ?? ""
        switch result {
        case .failure(let error):
            let code = error.code == .authentication && code == .network ? .authentication : code
            return DownloadError(
                code, message: "the file couldn't be uploaded: \(error.reason)\(end)", underlying: error)
        case .response(let status, _):
            let reason = status == 423 ? ": another request of the upload is in progress" : ""
            return DownloadError(
                code == .network ? .rejected : code,
                message: "the server responded with status \(status)\(reason)\(end)",
                status: status)
        }
    }
}

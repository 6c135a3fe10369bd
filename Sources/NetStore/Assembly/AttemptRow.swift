internal import NetCore

/// The row of an attempt. Times are microseconds.
///
/// The attempts of a call under way are stored in its row as JSON, so that they survive a crash.
struct AttemptRow: Sendable, Hashable, Codable {
    var number: Int
    /// Since the start of the call.
    var start: Int64?
    var end: Int64
    /// Nil if they were the call's own.
    var method, url: String?
    var status: Int?
    var error, phase, message: String?
    var requestBytes, responseBytes: Int64?
    var total, queued, lookup, connect, secure, sending, waiting, download: Int64?
    var version: String?
    var isReused: Bool?
    var remote: String?
    var trace: [UInt8]?
    /// The pause after the attempt, and its reason; nil if no retry followed.
    var retryDelay: Int64?
    var retryReason: String?
}

extension AttemptRow {
    init(_ attempt: AttemptDraft, of call: CallID) {
        self.init(
            number: attempt.number, start: attempt.start, end: attempt.end, method: attempt.method, url: attempt.url,
            status: attempt.status, error: attempt.failure?.code, phase: attempt.failure?.phase,
            message: attempt.failure?.message)
        trace = attempt.trace.map { StoredTrace.bytes($0, call: call) }
        guard let metrics = attempt.metrics else { return }
        let phases = metrics.phases
        func time(_ duration: Duration?) -> Int64? { duration.map { StoredTime.microseconds(of: $0) } }
        total = time(metrics.total)
        queued = time(phases.queued)
        lookup = time(phases.lookup)
        connect = time(phases.connect)
        secure = time(phases.secure)
        sending = time(phases.sending)
        waiting = time(phases.waiting)
        download = time(phases.download)
        requestBytes = metrics.requestBytes
        responseBytes = metrics.responseBytes
        version = metrics.version.isEmpty ? nil : metrics.version
        isReused = metrics.isReused
        remote = metrics.remoteAddress
    }

    /// True if the columns of the call's row can store the attempt.
    var fitsInline: Bool { method == nil && url == nil && retryDelay == nil }
}

#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetStore
internal import Synchronization

/// Records the calls of a client in memory, in the form of a store.
final class ReplayRecorder: ActivityListener {
    private let captures = Mutex<[CapturedAttempt]>([])
    let captureLimits: CaptureLimits
    var interest: ActivityInterest { .bodies }

    /// - Parameter limit: The maximum number of bytes kept per body.
    init(limit: Int) { captureLimits = CaptureLimits(bodyBytes: limit, mediaTypes: ["*/*"]) }

    func record(_ event: ActivityEvent) {}
    func record(_ attempt: CapturedAttempt) { captures.withLock { $0.append(attempt) } }

    /// Returns the entry of a call with the captures so far, and removes them.
    func entry(_ trace: CallTrace) -> ReportEntry {
        let captures = captures.withLock { captures in
            defer { captures = [] }
            return captures
        }
        var item = StoredItem(id: 0, uid: trace.call, kind: .call, startedAt: trace.date)
        item.method = trace.method.rawValue
        item.url = trace.url
        item.status = trace.status
        item.duration = trace.duration
        item.attempts = trace.attempts.count
        item.responseBytes = trace.responseBytes
        var entry = ReportEntry(item)
        entry.attempts = trace.attempts.map(Self.attempt)
        entry.exchanges = captures.filter { $0.call == trace.call }.map(Self.exchange)
        return entry
    }

    private static func attempt(_ traced: CallTrace.Attempt) -> StoredAttempt {
        var attempt = StoredAttempt(traced.number)
        attempt.method = traced.method.rawValue
        attempt.url = traced.url
        attempt.status = traced.status
        attempt.duration = traced.duration
        attempt.phases = traced.metrics?.phases ?? TransferPhases()
        attempt.version = traced.metrics?.version
        attempt.isReused = traced.metrics?.isReused
        attempt.remoteAddress = traced.metrics?.remoteAddress
        return attempt
    }

    private static func exchange(_ attempt: CapturedAttempt) -> StoredExchange {
        let captured = attempt.redacted()
        let response = captured.response
        return StoredExchange(
            number: attempt.attempt ?? 0, status: response?.status.code,
            requestHeaders: fields(captured.request.headers),
            responseHeaders: fields(response?.headers ?? [:]), response: response.flatMap { body($0.body) },
            trailers: fields(response?.trailers ?? [:]))
    }

    private static func fields(_ headers: HTTPFields) -> [StoredExchange.Field] {
        headers.map { StoredExchange.Field(name: $0.name.rawName, value: $0.value) }
    }

    private static func body(_ body: CapturedBody) -> StoredExchange.Body? {
        body.isAbsent
            ? nil : StoredExchange.Body(bytes: body.bytes, size: body.count, isCut: body.isCut || body.failure != nil)
    }
}
#endif

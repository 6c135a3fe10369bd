internal import NetCore

/// Clamps numbers from a file so that the tables can store and add them.
private enum Bounded {
    /// Limits a size to 1 PiB; sums of such sizes fit into 64 bits.
    static func size(_ value: Int64?) -> Int64? { value.map { max(0, min($0, 1 << 50)) } }
    static func count(_ value: Int) -> Int { max(0, min(value, 1_000_000)) }
    /// Limits a time to about 30,000 years.
    static func time(_ value: Duration?) -> Int64? {
        value.map { max(0, min(StoredTime.microseconds(of: $0), 1_000_000_000_000_000_000)) }
    }
    /// Limits a date to the years 0 to 9999.
    static func moment(_ value: Int64) -> Int64 {
        max(-62_167_219_200_000_000, min(value, 253_402_300_799_999_999))
    }
}

extension ItemDraft {
    /// The row of a recorded entry.
    convenience init(_ item: StoredItem, _ attempts: [StoredAttempt] = []) {
        self.init(
            ItemKey(item.uid, item.kind), startedAt: Bounded.moment(StoredTime.microseconds(of: item.startedAt)))
        for attempt in attempts { add(AttemptRow(attempt, of: item)) }
        duration = Bounded.time(item.duration)
        (outcome, status) = (item.outcome, item.status)
        (method, operation, name, url) = (item.method, item.operation, item.name, item.url)
        tags = item.tags
        failure = item.failure.map(PendingEvent.Failure.init)
        message = item.message
        (attemptCount, retries) = (Bounded.count(item.attempts), Bounded.count(item.retries))
        if let action = item.cache.flatMap(ActivityEvent.CacheDecision.Action.init(rawValue:)),
            let reason = item.cacheReason.flatMap(ActivityEvent.CacheDecision.Reason.init(rawValue:))
        {
            cache = ActivityEvent.CacheDecision(action, reason)
        }
        (requestBytes, responseBytes) = (Bounded.size(item.requestBytes), Bounded.size(item.responseBytes))
        (requestType, responseType) = (item.requestType, item.responseType)
        (isReused, version, remote) = (item.isReused, item.version, item.remoteAddress)
        owner = item.owner
        detail = item.detail
        hasEnded = true
    }
}

extension AttemptRow {
    fileprivate init(_ attempt: StoredAttempt, of item: StoredItem) {
        let start = Bounded.time(attempt.start)
        let total = Bounded.time(attempt.duration)
        self.init(
            number: attempt.number, start: start, end: Bounded.time(attempt.end) ?? (start ?? 0) + (total ?? 0),
            method: attempt.method == item.method ? nil : attempt.method,
            url: attempt.url == item.url ? nil : attempt.url, status: attempt.status, error: attempt.failure?.code,
            phase: attempt.failure?.phase, message: attempt.failure?.message)
        (requestBytes, responseBytes) = (Bounded.size(attempt.requestBytes), Bounded.size(attempt.responseBytes))
        let phases = attempt.phases
        self.total = total
        (queued, lookup) = (Bounded.time(phases.queued), Bounded.time(phases.lookup))
        (connect, secure) = (Bounded.time(phases.connect), Bounded.time(phases.secure))
        sending = Bounded.time(phases.sending)
        (waiting, download) = (Bounded.time(phases.waiting), Bounded.time(phases.download))
        (version, isReused, remote) = (attempt.version, attempt.isReused, attempt.remoteAddress)
        trace = attempt.trace.map { StoredTrace.bytes($0, call: item.uid) }
        (retryDelay, retryReason) = (Bounded.time(attempt.retryDelay), attempt.retryReason)
    }
}

extension CaptureRow {
    /// The row of recorded headers and bodies.
    init(_ exchange: StoredExchange, of call: CallID, _ types: (request: String?, response: String?)) {
        func text(_ fields: [StoredExchange.Field]) -> String? {
            StoredExchange.text(fields.map { ($0.name, $0.value) })
        }
        func body(_ body: StoredExchange.Body?, _ type: String?) -> CaptureContent.Body? {
            body.map {
                CaptureContent.Body(
                    bytes: $0.bytes, size: Bounded.size($0.size) ?? Int64($0.bytes.count), isCut: $0.isCut, type: type)
            }
        }
        let content = CaptureContent(
            status: exchange.status, requestHeaders: text(exchange.requestHeaders),
            responseHeaders: text(exchange.responseHeaders), trailers: text(exchange.trailers),
            request: body(exchange.request, types.request), response: body(exchange.response, types.response),
            pieces: StoredExchange.times(exchange.pieces))
        self.init(call: call, number: max(0, exchange.number), content: content)
    }
}

extension MessageRow {
    /// The row of a recorded message.
    init(_ message: StoredMessage, of socket: CallID) {
        let pending = PendingMessage(
            socket, number: message.number, occurredAt: Bounded.moment(StoredTime.microseconds(of: message.date)),
            isSent: message.isSent, kind: message.kind, size: Bounded.size(message.size) ?? 0, isCut: message.isCut)
        self.init(message: pending, content: message.text.map { .text($0) } ?? message.bytes.map { .binary($0) })
    }
}

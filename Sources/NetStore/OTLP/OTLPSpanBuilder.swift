internal import NetCore

/// Creates the spans of an entry.
///
/// | entry | spans |
/// |---|---|
/// | call | one (internal), with a child for each attempt (client) that has the ID sent as `traceparent` |
/// | WebSocket | one (client), a child of the call that opened it |
/// | job | one (internal); its calls link to it |
struct OTLPSpanBuilder {
    let entry: OTLPEntry
    private let item: StoredItem
    private let start: Int64

    init(_ entry: OTLPEntry) {
        self.entry = entry
        item = entry.item
        start = StoredTime.microseconds(of: item.startedAt)
    }

    /// The spans, that of the entry first; empty for a log line.
    var spans: [OTLPSpan] {
        switch item.kind {
        case .call: callSpans
        case .socket: [socketSpan]
        case .job: [jobSpan]
        case .log: []
        }
    }

    private func moment(_ offset: Duration?) -> Int64 {
        start.addingReportingOverflow(offset.map { StoredTime.microseconds(of: $0) } ?? 0).partialValue
    }

    private func span(_ name: String, _ kind: OTLPSpan.Kind) -> OTLPSpan {
        OTLPSpan(
            trace: entry.trace, span: OTLPSpanID.derived(from: item.uid, item.kind), name: name, kind: kind,
            start: start, end: moment(item.duration))
    }

    // MARK: Calls

    private var callSpans: [OTLPSpan] {
        let call = callSpan
        var used: Set<UInt64> = [call.span]
        return [call] + entry.attempts.map { span(of: $0, in: call, &used) }
    }

    private var callSpan: OTLPSpan {
        var span = span(OTLPNames.request(item.method, item.operation), .internal)
        span.isSampled = entry.attempts.last { $0.attempt.trace != nil }?.attempt.trace?.isSampled ?? true
        span.attributes.addRequest(method: item.method, url: item.url)
        span.attributes.add("http.response.status_code", item.status)
        span.attributes.add("http.request.body.size", item.requestBytes)
        span.attributes.add("http.response.body.size", item.responseBytes)
        span.attributes.addEntry(item)
        span.attributes.add("swift_net.call.attempts", item.attempts)
        span.attributes.add("swift_net.call.retries", item.retries)
        span.attributes.add("swift_net.cache.action", item.cache)
        span.attributes.add("swift_net.cache.reason", item.cacheReason)
        if let job = item.owner {
            let id = OTLPSpanID.derived(from: job, .job)
            if OTLPEntry.valid(job) == span.trace {
                span.parent = id
            } else {
                span.links = [.init(trace: OTLPEntry.valid(job), span: id)]
            }
        }
        span.events = entry.attempts.compactMap { retry(after: $0) }
        fail(&span)
        return span
    }

    /// Sets the error status of a call or job according to the rules of `CallSpans`: an HTTP status takes precedence
    /// over the error's code.
    private func fail(_ span: inout OTLPSpan) {
        let status = item.status.flatMap { $0 >= 400 ? String($0) : nil }
        switch item.outcome {
        case .completed, nil: break
        case .rejected: span.fail(status ?? item.failure?.code ?? "rejected", nil)
        case .failed: span.fail(status ?? item.failure?.code ?? "failed", item.failure?.message)
        case .cancelled: span.fail("cancelled", item.failure?.message)
        case .cutOff: span.fail("cutOff", "the process ended before")
        }
        span.attributes.add("swift_net.error.phase", item.failure?.knownPhase)
    }

    private func retry(after attempt: OTLPEntry.Attempt) -> OTLPSpan.Event? {
        guard attempt.attempt.retryDelay != nil || attempt.attempt.retryReason != nil else { return nil }
        var attributes = OTLPAttributes()
        attributes.add("swift_net.retry.reason", attempt.attempt.retryReason)
        attributes.add(seconds: "swift_net.retry.delay", attempt.attempt.retryDelay)
        attributes.add("swift_net.retry.attempt", attempt.attempt.number)
        return OTLPSpan.Event(time: end(of: attempt), name: "retry", attributes: attributes)
    }

    private func end(of attempt: OTLPEntry.Attempt) -> Int64 {
        if let end = attempt.end { return moment(end) }
        if let duration = attempt.attempt.duration { return moment((attempt.attempt.start ?? .zero) + duration) }
        return moment(item.duration)
    }

    private func span(of attempt: OTLPEntry.Attempt, in call: OTLPSpan, _ used: inout Set<UInt64>) -> OTLPSpan {
        let value = attempt.attempt
        // A request with a preset `traceparent` sends the same one in each attempt: the first attempt gets its ID.
        let derived = OTLPSpanID.derived(from: item.uid, .call, number: value.number)
        let id = value.trace.flatMap { used.insert($0.parentID).inserted ? $0.parentID : nil } ?? derived
        var span = OTLPSpan(
            trace: value.trace.map { CallID($0.traceID) } ?? call.trace, span: id,
            isSampled: value.trace?.isSampled ?? call.isSampled, name: OTLPNames.request(value.method, item.operation),
            kind: .client, start: moment(value.start), end: end(of: attempt))
        if span.trace == call.trace {
            span.parent = call.span
        } else {
            span.links = [.init(trace: call.trace, span: call.span)]
        }
        span.attributes.addAttempt(value)
        if let status = value.status, status >= 400 {
            span.fail(String(status), value.failure?.message)
        } else if let failure = value.failure {
            span.fail(failure.code, failure.message)
        }
        span.attributes.add("swift_net.error.phase", value.failure?.knownPhase)
        return span
    }

    // MARK: WebSockets and jobs

    private var socketSpan: OTLPSpan {
        var span = span(item.operation.map { "WebSocket \($0)" } ?? "WebSocket", .client)
        span.parent = OTLPSpanID.derived(from: item.uid, .call)
        span.attributes.addServer(of: item.url)
        span.attributes.addPeer(item.remoteAddress)
        span.attributes.addEntry(item)
        span.attributes.add("swift_net.websocket.close_code", item.status)
        let traffic = OTLPNames.SocketTraffic(item.detail ?? "")
        span.attributes.add("swift_net.websocket.subprotocol", traffic.subprotocol)
        span.attributes.add("swift_net.websocket.messages.sent", traffic.sent)
        span.attributes.add("swift_net.websocket.messages.received", traffic.received)
        span.attributes.add("swift_net.websocket.bytes.sent", item.requestBytes)
        span.attributes.add("swift_net.websocket.bytes.received", item.responseBytes)
        if item.outcome == .cutOff {
            span.fail("cutOff", "the process ended before")
        } else if let failure = item.failure {
            span.fail(failure.code, failure.message)
            span.attributes.add("swift_net.error.phase", failure.knownPhase)
        }
        return span
    }

    private var jobSpan: OTLPSpan {
        var span = span(item.name ?? "job", .internal)
        span.attributes.addServer(of: item.url)
        span.attributes.add("http.request.body.size", item.requestBytes)
        span.attributes.add("http.response.body.size", item.responseBytes)
        span.attributes.add("swift_net.item", item.id)
        span.attributes.add("swift_net.job.requests", item.attempts)
        span.attributes.add("swift_net.job.detail", item.detail)
        fail(&span)
        return span
    }
}

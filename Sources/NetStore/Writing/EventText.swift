internal import NetCore

/// An event in words, as `net_event` keeps it.
struct EventText {
    var kind: EventRecord.Kind
    var title: String
    var detail: String?
    var retryAttempt: Int?
    var retryDelay: Duration?

    init(_ event: PendingEvent) {
        switch event.kind {
        case .started(let requestBytes):
            kind = .started
            title = "\(event.method) \(event.url)"
            detail = requestBytes.map { "body of \($0) bytes" }
        case .attemptEnded(let attempt):
            kind = .attemptEnded
            title = "attempt \(attempt.number): \(Self.result(of: attempt))"
            detail = attempt.failure?.message ?? attempt.metrics.map(Self.text)
        case .retrying(let attempt, let delay, let reason):
            kind = .retrying
            title = "attempt \(attempt) follows after \(delay.seconds(places: 3)) s"
            detail = reason
            retryAttempt = attempt
            retryDelay = delay
        case .cache(let decision):
            kind = .cache
            title = "cache \(decision.action.rawValue)"
            detail = decision.reason.rawValue
        case .responded(let status):
            kind = .responded
            title = "responded \(status)"
        case .ended(let outcome):
            kind = .ended
            title = outcome.name + (outcome.status.map { " \($0)" } ?? "")
            if let failure = outcome.failure { title += ": \(failure.code)" }
            detail = outcome.failure?.message ?? outcome.responseBytes.map { "\($0) bytes" }
        }
    }

    private static func result(of attempt: PendingEvent.Attempt) -> String {
        attempt.failure?.code ?? attempt.status.map(String.init) ?? "no response"
    }

    private static func text(_ metrics: TransferMetrics) -> String {
        var parts = ["\(metrics.total.seconds(places: 3)) s"]
        if !metrics.version.isEmpty { parts.append("HTTP/\(metrics.version)") }
        parts.append(metrics.isReused ? "used connection" : "new connection")
        if let remote = metrics.remoteAddress { parts.append(remote) }
        return parts.joined(separator: ", ")
    }
}

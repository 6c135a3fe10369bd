internal import HTTPTypes

/// Properties for the most common uses of an event, without a `switch` over its kind.
extension ActivityEvent {
    /// The kind of the event in one word: `started`, `attemptEnded`, `retrying`, `cache`, `responded`, or how the call
    /// ended: `completed`, `rejected`, `failed`, `cancelled`.
    public var name: String {
        switch kind {
        case .started: "started"
        case .attemptEnded: "attemptEnded"
        case .retrying: "retrying"
        case .cache: "cache"
        case .responded: "responded"
        case .ended(let outcome): outcome.name
        }
    }

    /// The display name of the request, or its method if it has none.
    public var displayName: String { metadata.displayName ?? method.rawValue }

    /// The status that the event reports; nil if it has none.
    public var status: Int? {
        switch kind {
        case .attemptEnded(let attempt): attempt.status ?? attempt.error?.status
        case .responded(let status): status
        case .ended(let outcome): outcome.status
        case .started, .retrying, .cache: nil
        }
    }

    /// The duration of the call; nil until it has ended.
    public var duration: Duration? {
        if case .ended = kind { elapsed } else { nil }
    }

    /// The error of the attempt or the call; nil if there is none. The error of a response that couldn't be decoded has
    /// the phase `.decoding`.
    public var error: NetError? {
        switch kind {
        case .attemptEnded(let attempt): attempt.error
        case .ended(let outcome): outcome.error
        case .started, .retrying, .cache, .responded: nil
        }
    }

    /// The decision of a cache; nil for other events.
    public var cacheDecision: CacheDecision? {
        if case .cache(let decision) = kind { decision } else { nil }
    }

    /// The number of the attempt that follows a pause; nil for other events.
    public var retryAttempt: Int? {
        if case .retrying(let attempt, _, _) = kind { attempt } else { nil }
    }

    /// The pause before the next attempt; nil for other events.
    public var retryDelay: Duration? {
        if case .retrying(_, let delay, _) = kind { delay } else { nil }
    }

    /// One line for a log: `GET https://host/x: completed 200, 5 B in 0.012 s`.
    public var diagnosticSummary: String {
        let call = (metadata.displayName.map { "\($0) " } ?? "") + "\(method.rawValue) \(url): "
        switch kind {
        case .started(let bytes): return call + "started" + (bytes.map { $0 > 0 ? ", sends \($0) B" : "" } ?? "")
        case .attemptEnded(let attempt): return call + attempt.summary
        case .retrying(let attempt, let delay, let reason):
            return call + "attempt \(attempt) follows in \(delay.seconds(places: 3)) s (\(reason))"
        case .cache(let decision): return call + "cache \(decision)"
        case .responded(let status): return call + "responded \(status)"
        case .ended(let outcome):
            var text = call + outcome.name
            if let status = outcome.status { text += " \(status)" }
            if let bytes = outcome.responseBytes { text += ", \(bytes) B" }
            text += " in \(elapsed.seconds(places: 3)) s"
            return text + (outcome.error.map { ": \($0.code) while \($0.phase.rawValue): \($0.message)" } ?? "")
        }
    }
}

extension ActivityEvent.Outcome {
    /// `completed`, `rejected`, `failed` or `cancelled`.
    public var name: String {
        switch self {
        case .completed: "completed"
        case .rejected: "rejected"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    /// The status of the response; nil if there was none.
    public var status: Int? {
        switch self {
        case .completed(let status, _), .rejected(let status, _): status
        case .failed(let error): error.status
        case .cancelled: nil
        }
    }

    /// The number of bytes in the body; nil if the body wasn't read to its end.
    public var responseBytes: Int64? {
        switch self {
        case .completed(_, let bytes), .rejected(_, let bytes): bytes
        case .failed, .cancelled: nil
        }
    }

    /// The error of a failed call; nil for other outcomes.
    public var error: NetError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

extension ActivityEvent.Attempt {
    /// The number of body bytes sent; nil if the transport doesn't count them.
    public var requestBytes: Int64? { metrics?.requestBytes }

    /// The number of body bytes received; nil if the transport doesn't count them.
    public var responseBytes: Int64? { metrics?.responseBytes }

    /// `attempt 1: 503, 0.012 s, HTTP/2, new connection`.
    var summary: String {
        var parts = ["attempt \(number): \(error?.code.rawValue ?? status.map(String.init) ?? "no response")"]
        guard let metrics else { return parts[0] }
        parts.append("\(metrics.total.seconds(places: 3)) s")
        if !metrics.version.isEmpty { parts.append("HTTP/\(metrics.version)") }
        parts.append(metrics.isReused ? "reused connection" : "new connection")
        return parts.joined(separator: ", ")
    }
}

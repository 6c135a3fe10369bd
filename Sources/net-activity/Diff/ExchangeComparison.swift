#if Tools
internal import NetCore

/// The differences between two calls: a stored call and its replay, or two stored calls.
struct ExchangeComparison {
    /// A property of the calls that differs.
    struct Fact {
        let name: String
        let old, new: String?
    }

    /// The maximum number of differences kept per body.
    static let limit = 20

    let old, new: ComparedCall
    /// The properties that differ.
    private(set) var facts: [Fact] = []
    /// The compared parts of the messages; those of the requests are nil if requests aren't compared.
    let requestHeaders: HeaderComparison?
    let requestBody: ContentComparison?
    let headers, trailers: HeaderComparison
    let body: ContentComparison

    /// - Parameter hasRequests: True to compare the requests too.
    init(_ old: ComparedCall, _ new: ComparedCall, hasRequests: Bool) {
        (self.old, self.new) = (old, new)
        requestHeaders = hasRequests ? HeaderComparison(old.requestHeaders, new.requestHeaders) : nil
        requestBody = hasRequests ? ContentComparison(old.requestBody, new.requestBody, limit: Self.limit) : nil
        headers = HeaderComparison(old.responseHeaders, new.responseHeaders)
        trailers = HeaderComparison(old.trailers, new.trailers)
        body = ContentComparison(old.responseBody, new.responseBody, limit: Self.limit)
        if hasRequests {
            add("method", old.method, new.method)
            add("url", old.url, new.url)
            add("cache", old.cache, new.cache)
            add("attempts", "\(old.attempts)", "\(new.attempts)")
        }
        add("status", old.status.map(String.init), new.status.map(String.init))
        // A replay reads bytes: it can't fail in decoding or in a middleware.
        let isReplayed = !hasRequests && old.failure.map { Self.codesOfReaders.contains($0) } ?? false
        add("error", isReplayed ? nil : old.failure, new.failure)
    }

    private static let codesOfReaders: Set<String> = ["decoding", "middleware", "unacceptableStatus", "bodyTooLarge"]

    private mutating func add(_ name: String, _ old: String?, _ new: String?) {
        if old != new { facts.append(Fact(name: name, old: old, new: new)) }
    }

    /// True if there is a relevant difference: times and noisy headers don't count.
    var differs: Bool {
        !facts.isEmpty || !headers.differences.isEmpty || !trailers.differences.isEmpty || !body.isSame
            || requestHeaders?.differences.isEmpty == false || requestBody?.isSame == false
    }

    /// The names of the parts that differ.
    var differing: [String] {
        facts.map(\.name) + (requestHeaders?.differences.isEmpty == false ? ["request headers"] : [])
            + (requestBody?.isSame == false ? ["request body"] : [])
            + (headers.differences.isEmpty ? [] : ["headers"]) + (trailers.differences.isEmpty ? [] : ["trailers"])
            + (body.isSame ? [] : ["body"])
    }

    /// The times of both calls by phase; phases that neither call has are omitted.
    var times: [(name: String, old: Duration?, new: Duration?)] {
        let (first, second) = (old.phases, new.phases)
        let parts: [(String, Duration?, Duration?)] = [
            ("lookup", first.lookup, second.lookup), ("connect", first.connect, second.connect),
            ("tls", first.secure, second.secure), ("sending", first.sending, second.sending),
            ("waiting", first.waiting, second.waiting), ("download", first.download, second.download),
            ("total", old.duration, new.duration),
        ]
        return parts.filter { $0.1 != nil || $0.2 != nil }.map { (name: $0.0, old: $0.1, new: $0.2) }
    }
}
#endif

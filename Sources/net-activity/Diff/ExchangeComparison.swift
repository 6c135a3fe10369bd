#if Tools
internal import NetCore

/// The difference of two calls: of a stored one and its replay, or of two stored ones.
struct ExchangeComparison {
    /// A fact that differs.
    struct Fact {
        let name: String
        let old, new: String?
    }

    /// How many differences of a body are kept.
    static let limit = 20

    let old, new: ComparedCall
    /// Facts that differ.
    private(set) var facts: [Fact] = []
    /// The sections of the messages; those of the requests are nil unless they are compared.
    let requestHeaders: HeaderComparison?
    let requestBody: ContentComparison?
    let headers, trailers: HeaderComparison
    let body: ContentComparison

    /// - Parameter hasRequests: Whether the requests are compared, too.
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
        // A replay is read as bytes: it can't fail as a value or in a middleware.
        let isReplayed = !hasRequests && old.failure.map { Self.codesOfReaders.contains($0) } ?? false
        add("error", isReplayed ? nil : old.failure, new.failure)
    }

    private static let codesOfReaders: Set<String> = ["decoding", "middleware", "unacceptableStatus", "bodyTooLarge"]

    private mutating func add(_ name: String, _ old: String?, _ new: String?) {
        if old != new { facts.append(Fact(name: name, old: old, new: new)) }
    }

    /// Whether anything differs that counts: neither times nor noise do.
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

    /// The times of both, by the name of the part, those that either has.
    var times: [(name: String, old: Duration?, new: Duration?)] {
        let (first, second) = (old.phases, new.phases)
        let parts: [(String, Duration?, Duration?)] = [
            ("lookup", first.lookup, second.lookup), ("connect", first.connect, second.connect),
            ("tls", first.secure, second.secure), ("waiting", first.waiting, second.waiting),
            ("download", first.download, second.download), ("total", old.duration, new.duration),
        ]
        return parts.filter { $0.1 != nil || $0.2 != nil }.map { (name: $0.0, old: $0.1, new: $0.2) }
    }
}
#endif

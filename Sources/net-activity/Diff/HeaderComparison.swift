#if Tools
internal import NetCore
internal import NetStore

/// The differences between two header sections. The order of different headers is irrelevant (RFC 9110 section 5.3).
struct HeaderComparison {
    /// A header that differs.
    struct Difference: Equatable {
        let name: String
        /// The values; nil if the header is absent.
        let old, new: String?

        /// The difference as text: `vary: accept → accept, origin`.
        var text: String { BodyDifference(name, old: old.map(Self.shown), new: new.map(Self.shown)).text }

        private static func shown(_ value: String) -> String { value.isEmpty ? "an empty value" : value }
    }

    /// The relevant differences.
    private(set) var differences: [Difference] = []
    /// The differences in headers that vary between responses, which don't count.
    private(set) var noise: [Difference] = []
    /// The names of headers whose values are hidden.
    private(set) var hidden: [String] = []
    /// False if a section wasn't captured.
    let isCompared: Bool

    init(_ old: [StoredExchange.Field]?, _ new: [StoredExchange.Field]?) {
        guard let old, let new else {
            isCompared = false
            return
        }
        isCompared = true
        let (first, second) = (Self.values(old), Self.values(new))
        for name in Set(first.keys).union(second.keys).sorted() {
            let difference = Difference(
                name: TerminalText.clean(name), old: first[name]?.joined(separator: ", "),
                new: second[name]?.joined(separator: ", "))
            if [difference.old, difference.new].contains(where: { $0.map(HiddenMark.isIn) ?? false }) {
                // A hidden value can't be compared, but a missing header is still detected.
                if (difference.old == nil) == (difference.new == nil) || NoisyHeaders.contains(name) {
                    hidden.append(difference.name)
                    continue
                }
            }
            guard difference.old.map({ Array($0.utf8) }) != difference.new.map({ Array($0.utf8) }) else { continue }
            if NoisyHeaders.contains(name) { noise.append(difference) } else { differences.append(difference) }
        }
    }

    private static func values(_ fields: [StoredExchange.Field]) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for field in fields { values[field.name.lowercased(), default: []].append(field.value) }
        return values
    }
}

/// The headers that vary between responses regardless of the content.
enum NoisyHeaders {
    private static let names: Set<String> = [
        "age", "alt-svc", "cf-ray", "connection", "content-length", "date", "expires", "keep-alive", "nel",
        "report-to", "request-id", "retry-after", "server-timing", "set-cookie", "set-cookie2", "traceparent",
        "tracestate", "transfer-encoding", "via", "x-amz-cf-id", "x-amz-id-2", "x-amz-request-id", "x-amzn-requestid",
        "x-amzn-trace-id", "x-cache", "x-cache-hits", "x-correlation-id", "x-request-id", "x-response-time",
        "x-runtime", "x-served-by", "x-timer", "x-trace-id",
    ]

    static func contains(_ name: String) -> Bool {
        names.contains(name) || name.hasPrefix("ratelimit") || name.hasPrefix("x-ratelimit")
    }
}
#endif

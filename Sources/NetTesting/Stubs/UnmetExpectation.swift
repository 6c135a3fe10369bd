internal import HTTPTypes

/// Requests that were expected and did not come, or not as often.
public struct UnmetExpectation: Error, Sendable, CustomStringConvertible {
    /// What was expected: method, path, and how often.
    public let expected: String
    /// How often it came.
    public let count: Int
    /// The requests that came, or where none did the nearest to it and what differs; secrets hidden.
    public let excerpt: [String]

    init(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, times: Int?, found: [StubRequest],
        in journal: RequestJournal
    ) {
        let often = times.map { " \($0 == 1 ? "once" : "\($0) times")" } ?? ""
        expected = "\(method?.rawValue ?? "any method") \(path)\(often)"
        count = found.count
        guard found.isEmpty else {
            let shown = found.prefix(Self.shownRequests).map(\.description)
            let rest = found.count - shown.count
            excerpt = shown + (rest > 0 ? ["and \(rest) more"] : [])
            return
        }
        let nearest = journal.nearest(method, path)
        let forgotten = journal.forgotten > 0 ? ["\(journal.forgotten) older requests were forgotten"] : []
        excerpt = (nearest.isEmpty ? ["no request came"] : ["nearest:"] + nearest) + forgotten
    }

    /// What was expected, how often it came, and what came instead.
    public var description: String {
        let came = count == 0 ? "it never came" : count == 1 ? "it came once" : "it came \(count) times"
        return "expected \(expected), but \(came):" + excerpt.map { "\n  \($0)" }.joined()
    }

    private static let shownRequests = 10
}

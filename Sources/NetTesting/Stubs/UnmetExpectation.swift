internal import HTTPTypes

/// The error for expected requests that didn't arrive, or not as often as expected.
public struct UnmetExpectation: Error, Sendable, CustomStringConvertible {
    /// The expected method, path and number.
    public let expected: String
    /// The number of requests that arrived.
    public let count: Int
    /// The requests that arrived or, if none did, the nearest ones with their differences; secrets are hidden.
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
        excerpt = (nearest.isEmpty ? ["no request was sent"] : ["nearest:"] + nearest) + forgotten
    }

    /// The expected request, the number that arrived, and the requests that arrived instead.
    public var description: String {
        let came = count == 0 ? "it was never sent" : count == 1 ? "it was sent once" : "it was sent \(count) times"
        return "expected \(expected), but \(came):" + excerpt.map { "\n  \($0)" }.joined()
    }

    private static let shownRequests = 10
}

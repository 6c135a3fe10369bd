#if Tools && Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// Streams of a server: events over a connection that breaks, and a large body.
enum Broadcast {
    static let reports = ["gale warning", "rising", "nine", "falling", "calm"]

    /// Returns stubs for events at `/reports`, of which the first connection sends three and a half, and for `bytes`
    /// bytes at `/atlas`, sent at `rate` bytes per second.
    static func stubs(bytes: Int64, rate: Int) -> [Stub] {
        let whole = reports.indices.map { "id: \($0 + 1)\ndata: \(reports[$0])\n\n" }
        return [
            Stub(.get, "/reports") { request in
                switch request.headers["Last-Event-ID"].flatMap({ Int($0) }) ?? 0 {
                case 0:
                    let half = retry.utf8.count + whole[..<3].joined().utf8.count + 10
                    return events(whole[..<4]).dropping(.afterBodyBytes(Int64(half)))
                case let last where last < whole.count: return events(whole[last...])
                // The last response: the client doesn't reconnect after it (HTML Standard section 9.2).
                default: return .status(.noContent)
                }
            },
            Stub(.get, "/atlas") { _ in
                StubResponse(
                    headers: [.contentType: "application/octet-stream"],
                    body: .generated(length: bytes) { PatternChunks(end: bytes) }
                ).throttled(to: rate)
            },
        ]
    }

    private static let retry = "retry: 50\n\n"

    private static func events(_ events: ArraySlice<String>) -> StubResponse {
        let chunks = events.map { StubChunk($0, after: .milliseconds(20)) }
        return .chunks([StubChunk(retry)] + chunks, contentType: "text/event-stream")
    }
}
#endif

#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetTestServer
internal import NetTesting

/// Scenarios in which a cache or coalescing saves requests.
enum CacheScenarios {
    static let all = [staleIfError, disk, coalescing]

    private static let text = Request<String>("text", serializer: .string)

    private static func stored(_ text: String, for control: String) -> StubResponse {
        .text(text).header(.cacheControl, control).header(.eTag, "\"1\"")
    }

    private static let staleIfError = Scenario(
        "stale if error", "A stale response replaces a failed one, if the server allowed it (RFC 5861).",
        expect: "chart, chart; 2 requests",
        with: [
            Stub(.get, "/text", stored("chart", for: "max-age=0, stale-if-error=60")).times(1),
            Stub(.get, "/text", .status(.serviceUnavailable)).priority(-1),
        ]
    ) { bench in
        let client = try bench.client(CacheMiddleware())
        let answers = [try await client.send(text), try await client.send(text)]
        return "\(answers.joined(separator: ", ")); \(bench.requests.count) requests"
    }

    private static let disk = Scenario(
        "on disk", "Another client finds what the first one stored.", expect: "chart, chart; 1 request",
        with: [Stub(.get, "/text", stored("chart", for: "max-age=60"))]
    ) { bench in
        var answers: [String] = []
        for _ in 0..<2 {
            let store = DiskCacheStore(folder: bench.folder + "/cache")
            answers.append(try await bench.client(CacheMiddleware(store)).send(text))
        }
        return "\(answers.joined(separator: ", ")); \(bench.requests.count) request"
    }

    private static let coalescing = Scenario(
        "coalescing", "Identical concurrent requests share one call.", expect: "20 answers, 1 request",
        with: [Stub(.get, "/text", .text("chart").delayed(by: .milliseconds(200)))]
    ) { bench in
        let client = try bench.client(CoalescingMiddleware())
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await client.send(text) } }
            return try await group.reduce(into: 0) { count, answer in count += answer == "chart" ? 1 : 0 }
        }
        return "\(answers) answers, \(bench.requests.count) request"
    }
}
#endif

internal import HTTPTypes
internal import LoadDriver
internal import NetHTTP
internal import Synchronization

/// A client for requests to a fixed number of paths.
struct Subject {
    let entries: Int
    let isCached: Bool
    private let client: HTTPClient
    private let canned: CannedAnswer?
    private let paths: [Path]

    /// Creates a client with a canned response.
    init(middleware: [any Middleware], entries: Int) {
        let canned = CannedAnswer()
        self.canned = canned
        self.entries = entries
        isCached = !middleware.isEmpty
        client = HTTPClient(baseURL: "http://cache.test") { $0.middleware = middleware + [canned] }
        paths = (0..<entries).map { Path("catalogue/\($0)") }
    }

    /// Creates a client of a server.
    init(url: String) throws {
        let slash = url.lastIndex(of: "/") ?? url.endIndex
        client = HTTPClient(baseURL: url[..<slash])
        paths = [Path(String(url[slash...].dropFirst()))]
        (canned, entries, isCached) = (nil, 1, false)
    }

    func get(_ entry: Int) async throws {
        let body = try await client.send(Request<Bytes>(paths[entry], serializer: .bytes))
        guard body.count == CannedAnswer.body.count else { throw UnexpectedAnswer("\(body.count) bytes") }
    }

    /// The number of requests that no cache responded to.
    func answered() -> Int { canned?.count ?? 0 }
}

/// Responds without a network with 1 KB that is fresh for a day. It runs behind all other middleware and in front of a
/// transport, whose time limits would cost more than the measured code.
private final class CannedAnswer: Middleware {
    static let body = Bytes([UInt8](repeating: UInt8(ascii: "a"), count: 1024))

    private static let headers: HTTPFields = [
        .cacheControl: "max-age=86400", .contentType: "application/octet-stream", .eTag: "\"1\"",
        .contentLength: "1024",
    ]
    private let answers = Atomic<Int>(0)

    var count: Int { answers.load(ordering: .relaxed) }

    func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        answers.add(1, ordering: .relaxed)
        return StreamedResponse(head: ResponseHead(status: .ok, headers: Self.headers), body: ResponseBody(Self.body))
    }
}

#if os(Linux)
@testable import ClientTestSupport
import NetCore
import NetHTTP
import Testing

/// Bodies that the commands gzip, brotli and zstd encode and decode, behind a Python server.
@Suite(.timeLimit(.minutes(1))) struct ContentCodingPeerTests {
    private static let lines = (0..<20_000).map { "line \($0) of a body that is coded\n" }.joined()

    #if Compression
    private static let codings = ["gzip", "br", "zstd"]
    #else
    private static let codings = ["gzip"]
    #endif

    private func withClient(
        _ middleware: [any Middleware] = [], _ body: (HTTPClient) async throws -> Void
    ) async throws {
        let peer = try StreamPeer("streams/coder.py")
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport(configuration: configuration)) {
            $0.middleware = middleware
        }
        try await body(client)
        #expect(client.unfinishedCalls == 0)
        await client.shutdown()
        withExtendedLifetime(peer) {}
    }

    private func get(_ coding: String, isCut: Bool = false) -> Request<String> {
        let query: QueryItems = isCut ? ["coding": coding, "cut": 1] : ["coding": coding]
        return Request("lines", query: query, serializer: .string)
    }

    @Test(arguments: codings) func bodiesEncodedByCommandsAreDecodedWholeAndStreamed(coding: String) async throws {
        try await withClient { client in
            let whole = try await client.send(get(coding))
            #expect(whole == Self.lines)
            let streamed = try await client.stream(get(coding)).body.collect(upTo: 10 << 20)
            #expect(streamed == Bytes(Self.lines.utf8))
        }
    }

    @Test(arguments: codings) func aStreamWithoutItsEndIsAnError(coding: String) async throws {
        try await withClient { client in
            let error = try await failure { try await client.send(get(coding, isCut: true)) }
            #expect(error.code == .decoding)
            #expect(error.message.contains("\(coding) stream is truncated"))
            let body = try await client.stream(get(coding, isCut: true)).body
            let streamed = await #expect(throws: NetError.self) { for try await _ in body {} }
            #expect(streamed?.code == .decoding)
        }
    }

    @Test(arguments: CompressionMiddleware.Coding.allCases)
    func aCommandReadsWhatGoesOut(coding: CompressionMiddleware.Coding) async throws {
        try await withClient([CompressionMiddleware(coding)]) { client in
            let whole = Request<String>("lines", method: .post, body: .text(Self.lines), serializer: .string)
            let echoed = try await client.send(whole)
            #expect(echoed == Self.lines)
            let chunks = AsyncStream<Bytes> { continuation in
                for line in Self.lines.split(separator: "\n") { continuation.yield(Bytes("\(line)\n".utf8)) }
                continuation.finish()
            }
            let stream = Request<String>("lines", method: .post, body: .stream(chunks), serializer: .string)
            let streamed = try await client.send(stream)
            #expect(streamed == Self.lines)
        }
    }
}
#endif

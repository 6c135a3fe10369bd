import HTTPTypes
import Logging
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// The logging of bodies at verbose detail.
@Suite(.timeLimit(.minutes(1))) struct LoggedBodyTests {
    private func log<R: APIRequest>(_ stub: StubResponse, _ request: R) async -> [String] {
        let sink = LogSink()
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([Stub(nil, "/x", stub)])) {
            $0.middleware = [LoggingMiddleware(logger: sink.logger(), detail: .verbose)]
        }
        _ = try? await client.send(request)
        return sink.lines.map(\.message)
    }

    @Test func aResponseIsLoggedWithoutItsSecrets() async {
        let lines = await log(
            .json(text: #"{"token":"s3cret","name":"Ada"}"#), Request<String>("x", serializer: .string))
        #expect(lines.contains(#"⇠ body, 31 B: {"token":"<redacted>","name":"Ada"}"#), "\(lines)")
        #expect(!lines.joined().contains("s3cret"))
    }

    /// The credential is added inside of the log, and servers quote it in many forms.
    @Test(
        arguments: [
            ("bad key Bearer s3cret+and-long/", "bad key <redacted>"),
            (#"{"message":"bad key s3cret+and-long\/"}"#, #"{"message":"bad key <redacted>"}"#),
            ("try /login?key=s3cret%2Band-long%2F", "try /login?key=<redacted>"),
            (String(repeating: "x", count: 8180) + "s3cret+and-long/", "xxx<redacted> … cut"),
        ])
    func aCredentialThatIsAddedLaterIsHidden(_ text: String, _ shown: String) async throws {
        let sink = LogSink()
        let stub = Stub(nil, "/x", .text(text).header("X-Echo", "s3cret+and-long/"))
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([stub])) {
            $0.middleware = [
                LoggingMiddleware(logger: sink.logger(), detail: .verbose),
                AuthMiddleware(RefreshingCredentials { _ in try .bearer("s3cret+and-long/") }),
            ]
        }
        _ = try? await client.send(Request<String>("x", serializer: .string))
        let lines = sink.lines.map(\.message)
        #expect(lines.contains { $0.hasPrefix("⇠ body") && $0.hasSuffix(shown) }, "\(lines)")
        #expect(!lines.joined().contains("s3cret"))
    }

    @Test func aLongBodyIsCut() async throws {
        let text = String(repeating: "x", count: 20_000)
        let lines = await log(.text(text), Request<String>("x", serializer: .string))
        let line = try #require(lines.first { $0.hasPrefix("⇠ body") })
        #expect(line.hasPrefix("⇠ body, 20000 B: xxx"))
        #expect(line.hasSuffix("x … cut"))
        #expect(line.utf8.count < LoggingMiddleware.maximumTextBytes + 40)
    }

    @Test func aBodyThatIsNoTextIsOnlyCounted() async {
        let image = StubResponse(body: .bytes(Bytes([1, 2, 3]))).header(.contentType, "image/png")
        let lines = await log(image, Request<Bytes>("x", serializer: .bytes))
        #expect(lines.contains("⇠ body, 3 B of image/png"), "\(lines)")
    }

    @Test func aStreamIsLoggedChunkByChunk() async throws {
        let chunks = StubResponse.chunks((0..<70).map { StubChunk("\($0 % 10)") }).header(.contentType, "text/plain")
        let sink = LogSink()
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([Stub(nil, "/x", chunks)])) {
            $0.middleware = [LoggingMiddleware(logger: sink.logger(), detail: .verbose)]
        }
        do {
            for try await _ in try await client.stream("x").body {}
        } catch { Issue.record(error) }
        let lines = sink.lines.map(\.message).filter { $0.hasPrefix("⇠ ") }
        #expect(lines[1] == "⇠ chunk 1, 1 B of 1 B so far", "\(lines)")
        #expect(lines[64] == "⇠ chunk 64, 1 B of 64 B so far; further ones are not logged")
        try #require(lines.count == 66)
        #expect(lines[65].hasPrefix("⇠ body, 70 B: 0123456789012"))
    }

    @Test func aStreamedRequestIsLoggedAtItsEnd() async throws {
        let chunks = AsyncStream<Bytes> { continuation in
            for piece in [#"{"password":"#, #""s3cret"}"#] { continuation.yield(Bytes(piece.utf8)) }
            continuation.finish()
        }
        var request = Request<String>("x", method: .post, body: .stream(chunks), serializer: .string)
        request.headers[.contentType] = "application/json"
        let lines = await log(.text("ok"), request)
        #expect(
            lines.contains("⇢ chunk 1, 12 B of 12 B so far"),
            "\(lines)")
        #expect(
            lines.contains("⇢ chunk 2, 9 B of 21 B so far"),
            "\(lines)")
        #expect(lines.contains(#"⇢ body, 21 B: {"password":"<redacted>"}"#), "\(lines)")
        #expect(!lines.joined().contains("s3cret"))
    }

    @Test func aBodyThatBreaksOffSaysSo() async {
        let stub = StubResponse.chunks((0..<4).map { _ in StubChunk("12345") }).header(.contentType, "text/plain")
        let sink = LogSink()
        let client = HTTPClient(
            baseURL: "http://mock.test", transport: MockTransport([Stub(nil, "/x", stub.dropping(.afterBodyBytes(10)))])
        ) {
            $0.middleware = [LoggingMiddleware(logger: sink.logger(), detail: .verbose)]
        }
        await #expect(throws: (any Error).self) { for try await _ in try await client.stream("x").body {} }
        let lines = sink.lines.map(\.message)
        #expect(
            lines.contains("⇠ body, 10 B until connectionLost: 1234512345 … cut")
                || lines.contains("⇠ body, 10 B until connectionLost: 1234512345"), "\(lines)")
    }

    /// Bytes are copied only if they are logged as text.
    @Test func lessDetailHasNoBodies() async throws {
        let sink = LogSink()
        let client = HTTPClient(
            baseURL: "http://mock.test", transport: MockTransport([Stub(nil, "/x", .text("hello"))])
        ) {
            $0.middleware = [LoggingMiddleware(logger: sink.logger(), detail: .standard)]
        }
        try await client.send(Request<String>("x", serializer: .string))
        #expect(!sink.lines.contains { $0.message.contains("hello") })
    }
}

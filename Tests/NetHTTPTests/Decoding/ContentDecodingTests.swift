#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import Logging
import NetCompression
import NetCrypto
import NetTestServer
import NetTesting
import TestSupport
import Testing

@testable import NetHTTP

/// Encoded bodies over real connections, collected and streamed.
@Suite(.timeLimit(.minutes(1))) struct ContentDecodingTests {
    private static let get = Request<String>("coded", serializer: .string)

    private func coded(_ bytes: Bytes, _ field: String = "gzip") -> [Stub] {
        [Stub(.get, "/coded", .bytes(bytes, contentType: "text/plain").header(.contentEncoding, field))]
    }

    /// Returns the text, collected and streamed.
    private func both(_ client: HTTPClient) async throws -> [String] {
        let collected = try await client.send(Self.get)
        let streamed = try await client.stream(Self.get).body.collect(upTo: 10 << 20)
        return [collected, String(decoding: streamed, as: UTF8.self)]
    }

    private func bothFail(_ client: HTTPClient) async throws -> [NetError] {
        let collected = try await failure { try await client.send(Self.get) }
        let body = try await client.stream(Self.get).body
        let streamed = try #require(
            await #expect(throws: NetError.self) { for try await _ in body {} })
        return [collected, streamed]
    }

    /// Bytes that aren't text, in a coding that no build supports.
    @Test func aBodyInAnUnknownCodingSaysSo() async throws {
        let bytes = Bytes([0x1f, 0x9d, 0x90, 0xff, 0xfe])
        let sink = LogSink()
        let setup = Fixture.Setup.client { $0.logger = sink.logger(.notice) }
        try await Fixture.run(coded(bytes, "compress"), with: setup) { fixture in
            let response = try await fixture.client.response(Request<Bytes>("coded", serializer: .bytes))
            #expect(response.value == bytes)
            #expect(response.undecodedCoding == "compress")
            let raw = try await fixture.client.raw(Request<Bytes>("coded", serializer: .bytes))
            #expect(raw.undecodedCoding == "compress")
            let error = try await failure { try await fixture.client.send(Self.get) }
            #expect(error.code == .decoding)
            #expect(error.message.contains("Content-Encoding compress, which may not be supported here"))
        }
        #expect(sink.lines.count == 3)
        #expect(sink.lines.allSatisfy { $0.level == .notice && $0.metadata["coding"] == "compress" })
        let sample = try #require(CodedSample.all.first)
        try await Fixture.run(coded(sample.bytes, sample.coding), with: setup) { fixture in
            let response = try await fixture.client.response(Request<Bytes>("coded", serializer: .bytes))
            #expect(response.undecodedCoding == nil)
        }
        #expect(sink.lines.count == 3)
    }

    @Test(arguments: CodedSample.all) func aCodedBodyIsHandedOutDecoded(sample: CodedSample) async throws {
        try await Fixture.run(coded(sample.bytes, sample.coding)) { fixture in
            let texts = try await both(fixture.client)
            #expect(texts == [CodedSample.text, CodedSample.text])
            let offered = fixture.server.requests.map { $0.headers[.acceptEncoding] }
            let known = ContentCoding.allCases.map(\.rawValue).joined(separator: ", ")
            #expect(known.hasPrefix("gzip, deflate"))
            #expect(offered == [known, known])
        }
    }

    /// The body is complete when its head is returned, and is decoded although nothing reads it.
    @Test(arguments: CodedSample.all) func aCodedBodyThatNobodyWantsEnds(sample: CodedSample) async throws {
        let log = EventLog()
        let setup = Fixture.Setup.client { $0.listeners = [log] }
        try await Fixture.run(coded(sample.bytes, sample.coding), with: setup) { fixture in
            try await fixture.client.send(Request<Void>("coded"))
            guard case .ended(.completed(200, let count))? = log.all.last?.kind else {
                Issue.record("the call ended otherwise: \(log.names)")
                return
            }
            #expect(count == Int64(CodedSample.text.utf8.count))
        }
    }

    @Test(arguments: CodedSample.all) func theCodedBodyOfARedirectIsHandedOutOnce(sample: CodedSample) async throws {
        let body = StubResponse.bytes(sample.bytes, status: .found).header(.location, "/elsewhere")
        let stub = Stub(.get, "/coded", body.header(.contentEncoding, sample.coding))
        try await Fixture.run([stub], with: .client { $0.redirects = .manual }) { fixture in
            let response = try await fixture.client.raw(Self.get)
            #expect(response.status == .found)
            #expect(String(decoding: response.value, as: UTF8.self) == CodedSample.text)
        }
    }

    @Test func codingsOnTopOfOneAnotherComeOffInReverse() async throws {
        let twice = CodedSample.gzip(CodedSample.gzip(Bytes("inner".utf8)))
        try await Fixture.run(coded(twice, "gzip, x-gzip")) { fixture in
            let texts = try await both(fixture.client)
            #expect(texts == ["inner", "inner"])
        }
        try await Fixture.run(coded(twice, "gzip, gzip, gzip, gzip, gzip")) { fixture in
            let error = try await failure { try await fixture.client.send(Self.get) }
            #expect(error.code == .protocolViolation)
            #expect(error.message.contains("5 content codings"))
        }
    }

    @Test(arguments: [Wire.plain, .http2]) func halfAStreamIsAnErrorAndNeverTheWhole(wire: Wire) async throws {
        let half = CodedSample.gzip.bytes[0..<40]
        try await Fixture.run(coded(half), over: wire) { fixture in
            for error in try await bothFail(fixture.client) {
                #expect(error.code == .decoding)
                #expect(error.message.contains("truncated"))
                #expect(error.url?.hasSuffix("/coded") == true)
            }
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func invalidGzipBodiesFailToDecode() async throws {
        try await Fixture.run(coded(Bytes("plain text".utf8))) { fixture in
            for error in try await bothFail(fixture.client) { #expect(error.code == .decoding) }
        }
    }

    @Test(arguments: CompressionMiddleware.Coding.allCases)
    func aBombIsStoppedByItsRatio(coding: CompressionMiddleware.Coding) async throws {
        var encoder = try coding.makeEncoder(level: nil)
        let bomb = try encoder.encode(Bytes(repeatElement(0, count: 8 << 20)), isLast: true)
        try await Fixture.run(coded(bomb, coding.rawValue)) { fixture in
            for error in try await bothFail(fixture.client) {
                #expect(error.code == .bodyTooLarge)
                #expect(error.message.contains("decompression bomb"))
            }
        }
        try await Fixture.run(coded(bomb, coding.rawValue), with: .transport { $0.maximumExpansion = nil }) { fixture in
            let texts = try await both(fixture.client)
            #expect(texts.map(\.utf8.count) == [8 << 20, 8 << 20])
        }
    }

    @Test func theLimitOfACollectedBodyCountsDecodedBytes() async throws {
        let coded = coded(CodedSample.gzip(Bytes(repeatElement(65, count: 100_000))))
        try await Fixture.run(coded) { fixture in
            var get = Self.get
            get.options.maximumResponseBytes = 99_999
            let error = try await failure { try await fixture.client.send(get) }
            #expect(error.code == .bodyTooLarge)
            get.options.maximumResponseBytes = 100_000
            let text = try await fixture.client.send(get)
            #expect(text.utf8.count == 100_000)
        }
    }

    @Test func theBytesComeAsTheyAreWhereThatIsAskedForOrTheCodingIsNotKnown() async throws {
        let bytes = CodedSample.gzip.bytes
        try await Fixture.run(coded(bytes)) { fixture in
            var get = Request<Bytes>("coded", serializer: .bytes)
            get.options.decodesContent = false
            let raw = try await fixture.client.send(get)
            #expect(raw == bytes)
            #expect(fixture.server.requests.last?.headers[.acceptEncoding] == nil)
        }
        try await Fixture.run(coded(bytes, "compress")) { fixture in
            let response = try await fixture.client.response(Request<Bytes>("coded", serializer: .bytes))
            #expect(response.value == bytes)
            #expect(response.head[.contentEncoding] == "compress")
        }
    }

    @Test func aRangeIsAskedOfThePlainBody() async throws {
        let part = StubResponse.bytes(CodedSample.gzip.bytes[0..<10], status: .partialContent)
        try await Fixture.run([Stub(.get, "/coded", part.header(.contentEncoding, "gzip"))]) { fixture in
            let get = Request<Bytes>("coded", headers: [.range: "bytes=0-9"], serializer: .bytes)
            let bytes = try await fixture.client.send(get)
            #expect(bytes == CodedSample.gzip.bytes[0..<10])
            #expect(fixture.server.requests.last?.headers[.acceptEncoding] == nil)
        }
    }

    @Test func anEmptyBodyAndHeadAreNoTruncatedStream() async throws {
        try await Fixture.run(coded(Bytes()) + [Stub(.head, "/coded", .text("").header(.contentEncoding, "gzip"))]) {
            let texts = try await both($0.client)
            #expect(texts == ["", ""])
            var head = Self.get
            head.method = .head
            let text = try await $0.client.send(head)
            #expect(text == "")
        }
    }

    @Test func aLargeStreamIsDecodedAsItArrives() async throws {
        let text = (0..<400_000).map { "\($0) " }.joined()
        let coded = coded(CodedSample.gzip(Bytes(text.utf8)))
        try await Fixture.run(coded, over: .http2) { fixture in
            var count = 0
            var hash = 5381
            for try await chunk in try await fixture.client.stream(Self.get).body {
                #expect(chunk.count <= 64 << 10)
                count += chunk.count
                for byte in chunk { hash = hash &* 33 &+ Int(byte) }
            }
            #expect(count == text.utf8.count)
            #expect(hash == text.utf8.reduce(5381) { $0 &* 33 &+ Int($1) })
        }
    }
}

@Suite(.timeLimit(.minutes(1))) struct CompressionMiddlewareTests {
    private let text = (0..<5_000).map { "\($0) " }.joined()

    private func client(_ fixture: Fixture, _ middleware: CompressionMiddleware = .init()) -> HTTPClient {
        fixture.client.with { $0.middleware = [middleware] }
    }

    /// Returns the body received by the server, decoded separately.
    private func decoded(_ request: LoggedRequest?, _ coding: ContentCoding = .gzip) throws -> String {
        let request = try #require(request)
        #expect(request.headers[.contentEncoding] == coding.rawValue)
        var decoder = coding.makeDecoder()
        var rest = request.body
        var decoded: [UInt8] = []
        while let piece = try decoder.piece(of: &rest) { decoded.append(contentsOf: piece) }
        try decoder.finish()
        return String(decoding: decoded, as: UTF8.self)
    }

    @Test(arguments: [Wire.plain, .http2]) func aLargeBodyGoesOutInGzip(wire: Wire) async throws {
        try await Fixture.run([.echo()], over: wire) { fixture in
            _ = try await client(fixture).send(
                Request<EchoedRequest>("echo", method: .post, body: .text(text)))
            let request = fixture.server.requests.last
            #expect(try decoded(request) == text)
            #expect(request.map { $0.bodyBytes < Int64(text.utf8.count) / 2 } == true)
        }
    }

    @Test func aStreamIsCompressedOnItsWay() async throws {
        try await Fixture.run([.echo()]) { fixture in
            let parts = text.split(separator: "9", omittingEmptySubsequences: false).map { Bytes("\($0)9".utf8) }
            let chunks = AsyncStream<Bytes> { continuation in
                for part in parts { continuation.yield(part) }
                continuation.finish()
            }
            _ = try await client(fixture).send(
                Request<EchoedRequest>("echo", method: .post, body: .stream(chunks)))
            #expect(try decoded(fixture.server.requests.last) == text + "9")
        }
    }

    @Test func smallAndCodedBodiesGoOutAsTheyAre() async throws {
        try await Fixture.run([.echo()]) { fixture in
            let client = client(fixture)
            try await client.send(Request<EchoedRequest>("echo", method: .post, body: .text("small")))
            #expect(fixture.server.requests.last?.headers[.contentEncoding] == nil)
            try await client.send(
                Request<EchoedRequest>(
                    "echo", method: .post, headers: [.contentEncoding: "br"], body: .text(text)))
            #expect(fixture.server.requests.last?.headers[.contentEncoding] == "br")
            #expect(fixture.server.requests.last?.bodyBytes == Int64(text.utf8.count))
        }
    }

    @Test(arguments: [3, 10] as [Int64]) func aStreamOfAnotherLengthThanDeclaredIsAnError(length: Int64) async throws {
        try await Fixture.run([.echo()]) { fixture in
            let body = RequestBody.stream(ResponseBody(Bytes("hello".utf8)), length: length)
            let error = try await failure {
                try await client(fixture, .init(minimumBytes: 0)).send(
                    Request<EchoedRequest>("echo", method: .post, body: body))
            }
            #expect(error.code == .encoding)
            #expect(error.message.contains("its declared \(length) bytes"))
        }
    }

    /// Content-Digest is computed from the encoded bytes (RFC 9530 section 2).
    @Test func aBodyWithADigestGoesOutAsItIs() async throws {
        try await Fixture.run([.echo()]) { fixture in
            let client = fixture.client.with { $0.middleware = [ContentDigestMiddleware(), CompressionMiddleware()] }
            try await client.send(Request<EchoedRequest>("echo", method: .post, body: .text(text)))
            let request = try #require(fixture.server.requests.last)
            #expect(request.headers[.contentEncoding] == nil)
            #expect(request.bodyBytes == Int64(text.utf8.count))
            #expect(request.headers.digests(.contentDigest)[.sha256] == RunningHash.digest(of: request.body, .sha256))
        }
    }
}
#endif

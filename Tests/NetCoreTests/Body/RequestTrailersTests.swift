import HTTPTypes
import NetCore
import NetTesting
import Synchronization
import Testing

/// The allowed trailers of a request, and the form of its body.
@Suite struct RequestTrailersTests {
    private func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

    private func prepare(_ body: RequestBody, headers: HTTPFields = [:]) throws -> PreparedRequest {
        let builder = RequestBuilder(baseURL: "https://h.test", defaultHeaders: [:], coding: .standard)
        return try builder.prepare(
            Request<Bytes>("a", method: .put, headers: headers, body: body, serializer: .bytes))
    }

    /// Returns the bytes and the trailers, as a transport reads them.
    private func read(_ request: PreparedRequest) async throws -> (bytes: Bytes, trailers: HTTPFields?) {
        guard case .stream(nil, _, let make) = request.body else {
            Issue.record("no stream of unknown length")
            return (Bytes(), nil)
        }
        let body = ResponseBody(source: try make())
        #expect(body.trailers == nil)
        return (try await body.collect(upTo: 1 << 20), body.trailers)
    }

    @Test func everyKindOfBodyIsSentInChunksAndFollowedByThem() async throws {
        let sum = try name("X-Sum")
        let chunks = AsyncStream<Bytes> { continuation in
            continuation.yield(Bytes("on".utf8))
            continuation.yield(Bytes("ce".utf8))
            continuation.finish()
        }
        let bodies: [(RequestBody, String, Bool)] = [
            (.text("text"), "text", true), (.bytes(Bytes()), "", true), (.form([QueryItem("a", "b")]), "a=b", true),
            (.stream(chunks, length: 4), "once", false),
        ]
        for (body, text, isReplayable) in bodies {
            let request = try prepare(body.trailers([sum, try name("X-Other")]) { [sum: "7"] })
            #expect(request.head.headerFields[.trailer] == "X-Sum, X-Other")
            #expect(request.isReplayable == isReplayable)
            #expect(request.bodyLength == nil)
            #expect(request.announcesTrailers)
            for _ in 0..<(isReplayable ? 2 : 1) {
                let (bytes, trailers) = try await read(request)
                #expect(bytes == Bytes(text.utf8))
                #expect(trailers == [sum: "7"])
            }
        }
        #expect(try !prepare(.text("text")).announcesTrailers)
    }

    @Test func theyAreAskedForOnceEachTimeTheBodyWasRead() async throws {
        let sum = try name("X-Sum")
        let asked = Count()
        let body = RequestBody.text("text").trailers([sum]) { [sum: "\(asked.next())"] }
        let request = try prepare(body)
        #expect(asked.value.withLock { $0 } == 0)
        #expect(try await read(request).trailers == [sum: "1"])
        #expect(try await read(request).trailers == [sum: "2"])
    }

    @Test(
        "A field that is needed before the body cannot follow it (RFC 9110 section 6.5.1)",
        arguments: [
            "Transfer-Encoding", "content-length", "Host", "Authorization", "Proxy-Authorization", "Cookie",
            "Set-Cookie",
            "Content-Type", "Content-Encoding", "Content-Range", "Trailer", "TE", "Expect", "Range", "If-Match",
            "If-None-Match", "Cache-Control", "Max-Forwards", "Connection", "Upgrade", "Keep-Alive", "Proxy-Connection",
            "Idempotency-Key",
        ])
    func forbidden(field: String) throws {
        let names = [try name("X-Sum"), try name(field)]
        let error = #expect(throws: NetError.self) { try prepare(.text("x").trailers(names) { [:] }) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("the field \(field) must not be a trailer") == true)
    }

    @Test func withoutABodyOrANameTheRequestIsInvalid() throws {
        let sum = try name("X-Sum")
        for body in [RequestBody.none.trailers([sum]) { [:] }, RequestBody.text("x").trailers([]) { [:] }] {
            let error = #expect(throws: NetError.self) { try prepare(body) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func aFieldThatWasNotAnnouncedIsAnErrorThatShowsNoValue() async throws {
        let (sum, other) = (try name("X-Sum"), try name("X-Other"))
        let request = try prepare(.text("x").trailers([sum]) { [sum: "1", other: "SECRET"] })
        let error = await #expect(throws: NetError.self) { try await read(request) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("X-Other was not announced") == true)
        #expect(error.map { !"\($0)".contains("SECRET") } == true)
        let none = try prepare(.text("x").trailers([sum]) { [:] })
        #expect(try await read(none).trailers == [:])
    }

    private final class Count: Sendable {
        let value = Mutex(0)

        func next() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    private struct Broken: Error {}

    @Test func errorsThrownByTrailersBecomeEncodingErrors() async throws {
        let sum = try name("X-Sum")
        let request = try prepare(.text("x").trailers([sum]) { throw Broken() })
        let error = await #expect(throws: NetError.self) { try await read(request) }
        #expect(error?.code == .encoding)
        #expect(error?.phase == .sending)
        #expect(error?.underlying is Broken)
        let own = NetError(.timeout, phase: .sending, message: "own")
        let other = try prepare(.text("x").trailers([sum]) { throw own })
        let same = await #expect(throws: NetError.self) { try await read(other) }
        #expect(same?.code == .timeout)
    }

    @Test(arguments: [3, 10] as [Int64]) func aBodyOfAnotherLengthThanDeclaredIsAnError(length: Int64) async throws {
        let sum = try name("X-Sum")
        let body = RequestBody.stream(ResponseBody(Bytes("hello".utf8)), length: length)
        let request = try prepare(body.trailers([sum]) { [:] })
        let error = await #expect(throws: NetError.self) { try await read(request) }
        #expect(error?.code == .encoding)
        #expect(error?.message.contains("its declared \(length) bytes") == true)
    }
}

import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite(.timeLimit(.minutes(1)))
struct CapturedAttemptTests {
    private let text = Stub(.get, "/x", StubResponse.text("hello").header(.eTag, "\"1\""))

    @Test func anAttemptIsHandedOverWhenItsBodyHasEnded() async throws {
        let log = CaptureLog()
        let call = CapturedCall(headers: [.accept: "text/plain"], to: log)
        let response = try await call.send(MockTransport([text]))
        #expect(log.attempts.isEmpty)
        #expect(try await response.body.collect(upTo: 10) == Bytes("hello".utf8))
        #expect(log.names == ["captured", "attemptEnded"])
        let attempt = try #require(log.attempts.first)
        #expect(attempt.call == call.context.id)
        #expect(attempt.attempt == 1)
        #expect(attempt.cacheDecision == nil)
        let exchange = attempt.redacted()
        #expect(exchange.request.url == "https://h/x")
        #expect(exchange.request.method == .get)
        #expect(exchange.request.headers == [.accept: "text/plain"])
        #expect(exchange.request.body == CapturedBody())
        #expect(exchange.response?.status == .ok)
        #expect(exchange.response?.headers[.eTag] == "\"1\"")
        #expect(exchange.response?.body.text == "hello")
        #expect(exchange.response?.body.count == 5)
        #expect(exchange.response?.body.isCut == false)
        #expect(exchange.response?.body.failure == nil)
    }

    @Test func aWholeBodyIsHandedOverAtOnce() async throws {
        let log = CaptureLog()
        _ = try await CapturedCall(delivery: .collected(upTo: 100), to: log).send(MockTransport([text]))
        #expect(log.exchanges.map { $0.response?.body.text } == ["hello"])
    }

    @Test func trailersAndTheTimeUntilTheHeadAreThere() async throws {
        let (log, clock) = (CaptureLog(), TestClock())
        let slow = StubResponse(body: .chunks(["a", "b"]), trailers: ["X-Check": "42"]).delayed(by: .seconds(2))
        let call = CapturedCall(clock: clock, to: log)
        let stub = MockTransport([Stub(.get, "/x", slow)])
        #expect(try await clock.run { try await call.read(stub) } == "ab")
        #expect(log.exchanges.first?.duration == .seconds(2))
        #expect(log.exchanges.first?.response?.trailers == ["X-Check": "42"])
    }

    @Test func aBodyThatIsDroppedIsHandedOverAsFarAsItWasRead() async throws {
        let log = CaptureLog()
        let source = CountedSource([Bytes("one".utf8), Bytes("two".utf8), Bytes("three".utf8)])
        do {
            let response = try await CapturedCall(to: log).send(SourceTransport(source: source))
            var iterator = response.body.makeAsyncIterator()
            #expect(try await iterator.next() == Bytes("one".utf8))
            #expect(log.attempts.isEmpty)
        }
        #expect(log.names == ["captured", "attemptEnded"])
        let body = try #require(log.exchanges.first?.response?.body)
        #expect(body.text == "one")
        #expect(body.count == 3)
        #expect(body.failure?.code == "cancelled")
        #expect(source.asked == 1)
        #expect(source.isCancelled)
    }

    @Test func aBodyThatNobodyReadsIsNeitherPulledNorDrained() async throws {
        let log = CaptureLog()
        let source = CountedSource([Bytes("one".utf8)])
        let response = try await CapturedCall(to: log).send(SourceTransport(source: source))
        #expect(source.asked == 0)
        #expect(log.attempts.isEmpty)
        response.body.cancel()
        response.body.cancel()
        #expect(source.asked == 0)
        #expect(log.attempts.count == 1)
        #expect(log.exchanges.first?.response?.body.failure?.code == "cancelled")
    }

    @Test func theReaderGetsTheChunksThatTheTransportHands() async throws {
        let chunks = (1...5).map { Bytes([UInt8](repeating: UInt8($0), count: $0 * 1000)) }
        let log = CaptureLog(limits: CaptureLimits(bodyBytes: 1500))
        let response = try await CapturedCall(to: log).send(SourceTransport(source: CountedSource(chunks)))
        var read: [Bytes] = []
        for try await chunk in response.body { read.append(chunk) }
        #expect(read.map(\.count) == chunks.map(\.count))
        #expect(zip(read, chunks).allSatisfy { $0.storage === $1.storage })
        let body = try #require(log.exchanges.first?.response?.body)
        #expect(body.count == 15_000)
        #expect(body.keptCount == 1500)
        #expect(body.isCut)
    }

    @Test func failuresAreHandedOver() async throws {
        let log = CaptureLog()
        let dns = MockTransport.failing(with: NetError(.dns, phase: .resolving, message: "no such host"))
        await #expect(throws: NetError.self) { try await CapturedCall(to: log).send(dns) }
        #expect(log.exchanges.first?.failure == .init(code: "dns", message: "no such host"))
        let broken = StubResponse.text("hello").dropping(.afterBodyBytes(2))
        await #expect(throws: NetError.self) {
            try await CapturedCall(to: log).read(MockTransport([Stub(.get, "/x", broken)]))
        }
        let body = try #require(log.exchanges.last?.response?.body)
        #expect(body.text == "he")
        #expect(body.failure?.code == "connectionLost")
    }

    @Test func eachAttemptOfACallIsHandedOver() async throws {
        let log = CaptureLog()
        let transport = MockTransport { _, context in .text("attempt \(context.attempt)") }
        var call = CapturedCall(to: log)
        try await call.read(transport)
        var context = call.context
        try await context.repeatRequest(reason: "again")
        call = CapturedCall(repeating: call, context)
        try await call.read(transport)
        #expect(log.attempts.map(\.attempt) == [1, 2])
        #expect(Set(log.attempts.map(\.call)).count == 1)
        #expect(log.exchanges.map { $0.response?.body.text } == ["attempt 1", "attempt 2"])
    }

    @Test func bodiesOfOtherTypesAreOnlyCounted() async throws {
        let log = CaptureLog()
        let stub = Stub(.post, "/x", StubResponse(body: .chunks(["abc", "def"])).header(.contentType, "image/png"))
        let call = CapturedCall(
            method: .post, headers: [.contentType: "application/octet-stream"], body: .bytes(Bytes("1234".utf8)),
            to: log)
        try await call.read(MockTransport([stub]))
        let exchange = try #require(log.exchanges.first)
        #expect(exchange.request.body.count == 4)
        #expect(exchange.request.body.bytes.isEmpty)
        #expect(exchange.request.body.isCut)
        let body = try #require(exchange.response?.body)
        #expect(body.count == 6)
        #expect(body.bytes.isEmpty)
        #expect(body.isCut)
        #expect(body.failure == nil)
    }

    @Test func aListenerOfFieldsGetsNoBytesThoughAnotherDoes() async throws {
        let (fields, bodies) = (CaptureLog(.headers), CaptureLog())
        try await CapturedCall(to: fields, bodies).read(MockTransport([text]))
        #expect(fields.names == ["captured"])
        let body = try #require(fields.exchanges.first?.response?.body)
        #expect(body.bytes.isEmpty)
        #expect(body.isCut)
        #expect(body.count == 5)
        #expect(fields.exchanges.first?.response?.headers[.eTag] == "\"1\"")
        #expect(bodies.exchanges.first?.response?.body.text == "hello")
    }

    @Test func withoutAListenerThatWantsItNothingIsWrapped() async throws {
        let log = CaptureLog([.calls, .sockets])
        let call = CapturedCall(to: log)
        #expect(call.context.environment.capture == nil)
        #expect(try await call.read(MockTransport([text])) == "hello")
        #expect(log.names == ["attemptEnded"])
    }

    @Test func aStreamedRequestIsCapturedAsItIsSentAndCanBeSentAgain() async throws {
        let log = CaptureLog()
        let body = RequestBody.Content.stream(length: nil, isReplayable: true) {
            CountedSource([Bytes("abc".utf8), Bytes("def".utf8)])
        }
        let stub = Stub(.post, "/x") { .text(String(decoding: $0.body, as: UTF8.self)) }
        for _ in 0..<2 {
            let call = CapturedCall(method: .post, headers: [.contentType: "text/plain"], body: body, to: log)
            #expect(try await call.read(MockTransport([stub])) == "abcdef")
        }
        #expect(log.exchanges.map(\.request.body.text) == ["abcdef", "abcdef"])
        #expect(log.exchanges.allSatisfy { !$0.request.body.isCut })
    }

    @Test func aLargeRequestIsNotKeptAlive() async throws {
        let log = CaptureLog(limits: CaptureLimits(bodyBytes: 10))
        let source = CountedSource([])
        weak var storage: ByteStorage?
        do {
            let bytes = Bytes([UInt8](repeating: 65, count: 1 << 20))
            storage = bytes.storage
            let call = CapturedCall(method: .post, headers: [.contentType: "text/plain"], body: .bytes(bytes), to: log)
            try await call.read(SourceTransport(source: source))
        }
        #expect(storage == nil)
        #expect(log.exchanges.first?.request.body.count == 1 << 20)
        #expect(log.exchanges.first?.request.body.text == String(repeating: "A", count: 10))
    }

    @Test(arguments: ["text/event-stream", "application/x-ndjson; charset=utf-8"])
    func thePausesOfAStreamAreKept(_ type: String) async throws {
        let (log, clock) = (CaptureLog(), TestClock())
        let chunks = [StubChunk("a\n"), StubChunk("b\n", after: .seconds(3))]
        let stub = Stub(.get, "/x", StubResponse(body: .chunks(chunks)).header(.contentType, type))
        let call = CapturedCall(clock: clock, to: log)
        #expect(try await clock.run { try await call.read(MockTransport([stub])) } == "a\nb\n")
        let body = try #require(log.exchanges.first?.response?.body)
        #expect(body.pieces.map(\.delay) == [.zero, .seconds(3)])
        #expect(body.isTimed)
    }

    @Test func aCodedBodyHasNoBytesUnlessNothingIsHidden() async throws {
        let coded = Bytes([0x1f, 0x8b, 8, 0, 1, 2])
        for policy in [RedactionPolicy.safeDefault, .disabled] {
            let log = CaptureLog()
            let headers: HTTPFields = [.contentType: "application/json", .contentEncoding: "gzip"]
            let call = CapturedCall(
                method: .post, headers: headers, body: .bytes(coded), redaction: policy, to: log)
            try await call.read(SourceTransport(source: CountedSource([coded]), headers: headers))
            let exchange = try #require(log.exchanges.first)
            for body in [exchange.request.body, exchange.response?.body] {
                #expect(body?.count == 6)
                #expect((body?.bytes.isEmpty == true) == (policy != .disabled))
            }
        }
        // A body that was decoded in transit is text again.
        let log = CaptureLog()
        let headers: HTTPFields = [.contentType: "application/json", .contentEncoding: "br"]
        // Cuts the last character.
        let decoded = Bytes(Array("{\"a\":\"é".utf8).dropLast())
        try await CapturedCall(to: log).read(SourceTransport(source: CountedSource([decoded]), headers: headers))
        #expect(log.exchanges.first?.response?.headers[.contentEncoding] == "br")
        let cut = CaptureLog(limits: CaptureLimits(bodyBytes: 7))
        let whole = Bytes("{\"a\":\"é\"}".utf8)
        try await CapturedCall(to: cut).read(SourceTransport(source: CountedSource([whole]), headers: headers))
        #expect(cut.exchanges.first?.response?.body.keptCount == 7)
        #expect(cut.exchanges.first?.response?.headers[.contentEncoding] == nil)
    }

    @Test func nothingOfItIsPrinted() async throws {
        let log = CaptureLog()
        let call = CapturedCall(
            "/PLANTED?token=PLANTED", headers: [.accept: "PLANTED"], to: log)
        try await call.read(MockTransport { _, _ in .text("PLANTED") })
        let attempt = try #require(log.attempts.first)
        var dumped = "\(attempt)"
        dump(attempt, to: &dumped)
        #expect(!dumped.contains("PLANTED"))
        #expect(dumped.contains("attempt 1"))
    }
}

extension CapturedCall {
    init(repeating call: CapturedCall, _ context: CallContext) {
        request = call.request
        self.context = context
    }
}

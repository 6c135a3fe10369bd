import HTTPTypes
import NetCore
import NetTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MockTransportTests {
    @Test func aStubAnswersWithItsPathParameters() async throws {
        let transport = MockTransport([Stub(.get, "/users/{id}") { .json(["id": $0.parameters["id"] ?? ""]) }])
        let call = Call("/users/7%2F8")
        let response = try await transport.execute(call.request, context: call.context)
        #expect(response.head.status == .ok)
        #expect(response.head[.contentType] == "application/json")
        #expect(response.head[.contentLength] == "12")
        #expect(try #require(response.body.whole).elementsEqual(#"{"id":"7/8"}"#.utf8))
        #expect(response.body.metrics?.responseBytes == 12)
        #expect(transport.recordedRequests.map(\.target) == ["/users/7%2F8"])
    }

    @Test func anUnknownRequestThrowsAndNamesTheNearestStubs() async {
        let transport = MockTransport([Stub(.get, "/users/{id}", .text(""))])
        let error = await Call("/user/7").failure(transport)
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("GET /users/{id}: the path is /user/7, not /users/{id}") == true)
        #expect(error?.call?.url == "http://api.test/user/7")
        #expect(transport.recordedRequests.count == 1)
    }

    @Test func aStreamedBodyArrivesInPieces() async throws {
        let transport = MockTransport([Stub(.get, "/s", .chunks(["one", "", "two"])), .pattern()])
        let call = Call("/s", delivery: .streamed)
        let response = try await transport.execute(call.request, context: call.context)
        #expect(response.body.whole == nil)
        var texts: [String] = []
        for try await chunk in response.body { texts.append(String(decoding: chunk, as: UTF8.self)) }
        #expect(texts == ["one", "two"])
        #expect(response.body.metrics?.responseBytes == 6)

        let large = Call("/bytes?bytes=1000000", delivery: .streamed)
        var offset: Int64 = 0
        for try await chunk in try await transport.execute(large.request, context: large.context).body {
            #expect(chunk.count <= 65_536)
            #expect(BytePattern.matches(chunk, at: offset))
            offset += Int64(chunk.count)
        }
        #expect(offset == 1_000_000)
    }

    @Test(arguments: [3, 10] as [Int64])
    func aRequestBodyOfAnotherLengthThanDeclaredIsAnError(length: Int64) async throws {
        let transport = MockTransport { _, _ in .text("") }
        let body = RequestBody.stream(ResponseBody(Bytes("hello".utf8)), length: length)
        let call = Call("/x", method: .put, body: try body.resolved(with: .standard).content)
        let error = await call.failure(transport)
        #expect(error?.code == .encoding)
        #expect(error?.message.contains("its declared \(length) bytes") == true)
    }

    @Test func aCollectedBodyKeepsItsLimit() async {
        let transport = MockTransport([.pattern()])
        let error = await Call("/bytes?bytes=100", delivery: .collected(upTo: 99)).failure(transport)
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func hoursOfDelaysPassInVirtualTime() async throws {
        let clock = TestClock()
        let chunks = (0..<100).map { StubChunk("\($0) ", after: .seconds(60)) }
        let transport = MockTransport([Stub(.get, "/slow", .chunks(chunks).delayed(by: .seconds(3600)))])
        let call = Call("/slow", timeouts: Timeouts(firstByte: nil, stall: .seconds(60)), clock: clock)
        let response = try await clock.run { try await transport.execute(call.request, context: call.context) }
        #expect(response.body.metrics?.total == .seconds(3600 + 6000))
        #expect(clock.now == .seconds(9600))
    }

    @Test(arguments: [
        (Timeouts(firstByte: .seconds(2)), NetError.Phase.waiting, 2), (Timeouts(total: .seconds(1)), .waiting, 1),
        (Timeouts(firstByte: nil, stall: .seconds(3)), .receiving, 13),
        (Timeouts(firstByte: nil, total: .seconds(12)), .receiving, 12),
    ])
    func timeoutsRunOnTheContextsClock(_ timeouts: Timeouts, _ phase: NetError.Phase, _ seconds: Int) async throws {
        let clock = TestClock()
        let body = StubResponse.chunks([StubChunk("late", after: .seconds(5))])
        let transport = MockTransport([Stub(.get, "/slow", body.delayed(by: .seconds(10)))])
        let call = Call("/slow", timeouts: timeouts, clock: clock)
        let error = try #require(try await clock.run { await call.failure(transport) })
        #expect(error.code == .timeout)
        #expect(error.phase == phase)
        #expect(error.elapsed == .seconds(seconds))
    }

    @Test func aClosureThatNeverAnswersTimesOut() async throws {
        let clock = TestClock()
        let transport = MockTransport { _, _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return .text("never")
        }
        let call = Call("/", timeouts: Timeouts(firstByte: .seconds(30)), clock: clock)
        let task = Task { await call.failure(transport) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(30))
        #expect(await task.value?.isTimeout == true)
    }

    @Test func cancellationEndsADelayAtOnce() async throws {
        let clock = TestClock()
        let transport = MockTransport([Stub(.get, "/slow", .text("").delayed(by: .seconds(10)))])
        let call = Call("/slow", clock: clock)
        let task = Task { await call.failure(transport) }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        #expect(clock.now == .zero)
    }

    @Test func cancellingABodyEndsItsReaderAndItsPause() async throws {
        let clock = TestClock()
        let transport = MockTransport([Stub(.get, "/s", .chunks(["a", StubChunk("b", after: .seconds(9))]))])
        let call = Call("/s", delivery: .streamed, clock: clock)
        let body = try await transport.execute(call.request, context: call.context).body
        let reader = Task { () -> NetError? in
            do throws(NetError) {
                for try await _ in body {}
                return nil
            } catch {
                return error
            }
        }
        try await clock.waitForSleepers(count: 1)
        body.cancel()
        #expect(await reader.value?.code == .cancelled)
        // A task that is cancelled just as it falls asleep is counted until it runs again.
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
        #expect(clock.sleepers == 0)
    }

    @Test(arguments: [
        (ConnectionDrop.Point.beforeHead, NetError.Phase.waiting, ""), (.afterHead, .receiving, "after 0 bytes"),
        (.afterBodyBytes(3), .receiving, "after 3 bytes"), (.afterBodyBytes(99), .receiving, "after 5 bytes"),
    ])
    func aDroppedConnectionIsLostAtItsPlace(
        _ point: ConnectionDrop.Point, _ phase: NetError.Phase, _ text: String
    ) async {
        let transport = MockTransport([Stub(.get, "/d", StubResponse.text("hello").dropping(point))])
        let error = await Call("/d").failure(transport)
        #expect(error?.code == .connectionLost)
        #expect(error?.phase == phase)
        #expect(error?.message.contains(text) == true || text.isEmpty)
    }

    @Test func aBodyShorterThanPromisedIsLost() async {
        let response = StubResponse.text("hello").header(.contentLength, "9")
        let error = await Call("/d").failure(MockTransport.succeeding(with: response))
        #expect(error?.code == .connectionLost)
        #expect(error?.message == "the body ended after 5 of 9 bytes")
    }

    @Test func requestBodiesAreReadAlsoWhenTheyStream() async throws {
        let transport = MockTransport([
            .echo(),
            .streaming(.post, "/count") { _, body in
                var count = 0
                for try await chunk in body { count += chunk.count }
                return .text("\(count)")
            },
        ])
        let source = AsyncStream<Bytes> { continuation in
            for _ in 0..<10 { continuation.yield(Bytes([1, 2, 3])) }
            continuation.finish()
        }
        let content = try RequestBody.stream(source).resolved(with: .standard).content
        let call = Call("/count", method: .post, body: content)
        let response = try await transport.execute(call.request, context: call.context)
        #expect(try await response.body.collect(upTo: 99).elementsEqual("30".utf8))

        let echo = Call("/echo", method: .put, body: .bytes(Bytes("hi".utf8)))
        let echoed = try await transport.execute(echo.request, context: echo.context).body.collect(upTo: 9999)
        #expect(try JSONCoding.standard.decode(EchoedRequest.self, from: echoed).bodyBase64 == "aGk=")
        #expect(transport.recordedRequests.last?.body == Bytes("hi".utf8))
    }

    @Test func headAndNoContentHaveNoBody() async throws {
        let transport = MockTransport.succeeding(with: .text("hello"))
        let call = Call("/", method: .head)
        let response = try await transport.execute(call.request, context: call.context)
        #expect(response.head[.contentLength] == "5")
        #expect(response.body.whole?.isEmpty == true)
    }

    @Test func errorsOfStubsComeThrough() async {
        struct Odd: Error {}
        let known = MockTransport.failing(with: NetError(.dns, phase: .resolving, message: "no such host"))
        #expect(await Call("/").failure(known)?.code == .dns)
        #expect(await Call("/").failure(known)?.attempt == 1)
        let odd = await Call("/").failure(MockTransport { _, _ in throw Odd() })
        #expect(odd?.code == .unknown)
        #expect(odd?.underlying is Odd)
        let unreadable = MockTransport.succeeding(with: .file("/nowhere/at/all"))
        #expect(await Call("/").failure(unreadable)?.code == .encoding)
    }

    @Test func aMockThatIsShutDownAnswersNoMore() async {
        let transport = MockTransport.succeeding(with: .text(""))
        await transport.shutdown()
        #expect(await Call("/").failure(transport)?.code == .shutdown)
    }

    @Test func manyCallsAtOnceAreAllAnswered() async throws {
        let transport = MockTransport([Stub(.get, "/n/{n}") { .text($0.parameters["n"] ?? "") }])
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let call = Call("/n/\(index)")
                    let response = try await transport.execute(call.request, context: call.context)
                    return response.body.whole?.elementsEqual("\(index)".utf8) == true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(transport.recordedRequests.count == 500)
    }
}

/// A request and its context.
private struct Call: Sendable {
    let request: PreparedRequest
    let context: CallContext

    init(
        _ path: String, method: HTTPRequest.Method = .get, body: RequestBody.Content = .none,
        delivery: BodyDelivery = .collected(upTo: 1 << 20), timeouts: Timeouts = Timeouts(),
        clock: TestClock = TestClock()
    ) {
        request = PreparedRequest(
            head: HTTPRequest(method: method, scheme: "http", authority: "api.test", path: path), body: body)
        context = CallContext(
            for: request, delivery: delivery, timeouts: timeouts,
            environment: CallContext.Environment(clock: clock.netClock, random: SeededRandom(seed: 1).netRandom))
    }

    /// Returns the error of the call; nil if it succeeds.
    func failure(_ transport: MockTransport) async -> NetError? {
        do throws(NetError) {
            _ = try await transport.execute(request, context: context)
            return nil
        } catch {
            return error
        }
    }
}

#if Server
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite struct TimeoutTests {
    private func request(_ path: Path, _ timeouts: Timeouts) -> Request<Bytes> {
        Request(path, options: RequestOptions(timeouts: timeouts), serializer: .bytes)
    }

    private func fails(_ fixture: Fixture, _ request: Request<Bytes>) async throws -> NetError {
        try await failure { try await fixture.client.send(request) }
    }

    private let slow = [
        Stub(.get, "/late", .text("late").delayed(by: .seconds(30))),
        Stub.drip(count: 100, every: .milliseconds(50)),
        Stub(.get, "/stuck", .chunks([StubChunk("a"), StubChunk("b", after: .seconds(30))])),
    ]

    @Test(arguments: [Wire.plain, .http2]) func theFirstByteComesTooLate(wire: Wire) async throws {
        try await Fixture.run(slow, over: wire) { fixture in
            let error = try await fails(fixture, request("late", Timeouts(firstByte: .milliseconds(200))))
            #expect(error.code == .timeout)
            #expect(error.phase == .waiting)
            #expect(error.message.contains("0.200 s"))
            #expect(try #require(error.elapsed) < .seconds(10))
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
        }
    }

    @Test func theBodyStandsStill() async throws {
        try await Fixture.run(slow) { fixture in
            let error = try await fails(fixture, request("stuck", Timeouts(stall: .milliseconds(200))))
            #expect(error.code == .timeout)
            #expect(error.phase == .receiving)
        }
    }

    @Test func aBodyThatDripsPassesTheStallButNotTheTotal() async throws {
        try await Fixture.run(slow) { fixture in
            let error = try await fails(
                fixture, request("drip", Timeouts(stall: .seconds(5), total: .seconds(2))))
            #expect(error.code == .timeout)
            #expect(error.phase == .receiving)
            #expect(error.message.contains("total of 2.000 s"))
        }
    }

    @Test func aReaderThatSleepsIsNoSilentServer() async throws {
        try await Fixture.run([.pattern()]) { fixture in
            var request = request("bytes", Timeouts(stall: .seconds(3)))
            request.query = [QueryItem("bytes", 8 << 20)]
            let response = try await fixture.client.stream(request)
            // Real time on purpose: longer than the stall limit, with the transfer paused.
            try await Task.sleep(for: .seconds(4))
            var count = 0
            for try await chunk in response.body { count += chunk.count }
            #expect(count == 8 << 20)
        }
    }

    @Test func aStreamedBodyMeetsTheTotalToo() async throws {
        try await Fixture.run(slow) { fixture in
            let response = try await fixture.client.stream(request("drip", .total(.seconds(2))))
            let error = await #expect(throws: NetError.self) { for try await _ in response.body {} }
            #expect(error?.isTimeout == true)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }
}
#endif

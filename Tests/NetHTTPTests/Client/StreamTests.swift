#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

private let bigRequest = Request<Bytes>("big", serializer: .bytes)

@Suite(.serialized, .timeLimit(.minutes(3))) struct StreamTests {
    /// Serialized, because memory is measured for the whole process.
    @Test(arguments: Wire.allCases) func aLargeBodyStreamsInFlatMemory(wire: Wire) async throws {
        // 256 MiB; 1 GiB in a soak.
        let size = ProcessInfo.processInfo.environment["NET_SOAK"] == "1" ? 1 << 30 : 1 << 28
        try await Fixture.run([big(size)], over: wire) { fixture in
            let response = try await fixture.client.stream(bigRequest)
            #expect(response.head.version == wire.version)
            var received = 0
            var start = 0
            var peak = 0
            var nextLook = 32 << 20
            for try await chunk in response.body {
                received += chunk.count
                guard received >= nextLook else { continue }
                // The first 32 MB warm up the allocator and the peer in this process.
                if start == 0 { start = ThisProcess.residentBytes }
                peak = max(peak, ThisProcess.residentBytes)
                nextLook += 16 << 20
            }
            #expect(received == size)
            #expect(peak - start < 32 << 20, "grew by \((peak - start) >> 20) MB")
            #expect(fixture.client.unfinishedCalls == 0)
            #expect(response.body.metrics?.responseBytes == Int64(size))
        }
    }

    @Test(arguments: Wire.allCases) func aSleepingReaderHoldsTheServerBack(wire: Wire) async throws {
        try await Fixture.run([big(1 << 30)], over: wire) { fixture in
            let response = try await fixture.client.stream(bigRequest)
            var iterator = response.body.makeAsyncIterator()
            var taken = 0
            while taken < 64 << 20 { taken += try await iterator.next()?.count ?? 0 }
            // Real time on purpose: the test measures how much the kernels and the library accept meanwhile.
            try await Task.sleep(for: .seconds(3))
            let accepted = fixture.server.statistics.bytesWritten
            #expect(accepted - Int64(taken) <= 8 << 20, "accepted \((accepted - Int64(taken)) >> 10) KB ahead")
            response.body.cancel()
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
        }
    }

    /// A buffer of 64 KiB makes libcurl pause and resume more than a thousand times.
    @Test(arguments: Wire.allCases) func aThousandPausesLoseNothing(wire: Wire) async throws {
        let size = 96 << 20
        try await Fixture.run(
            [big(size)], over: wire, with: .transport { $0.streamBuffer = 64 << 10 }
        ) { fixture in
            let response = try await fixture.client.stream(bigRequest)
            var offset = 0
            var chunks = 0
            for try await chunk in response.body {
                #expect(Repeated.matches(chunk, at: offset))
                offset += chunk.count
                chunks += 1
                if chunks % 4 == 0 { try await Task.sleep(for: .microseconds(50)) }
            }
            #expect(offset == size)
            #expect(chunks > 1000)
        }
    }

    @Test func oneSleepingHTTP2ReaderDoesNotStopThirtyOneOthers() async throws {
        try await Fixture.run([big(8 << 20)], over: .http2) { fixture in
            let asleep = try await fixture.client.stream(bigRequest)
            // Real time on purpose: a server or a library that doesn't tolerate such a long pause of the consumer must
            // show it.
            async let nap: Void = Task.sleep(for: .seconds(10))
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<31 {
                    group.addTask {
                        var count = 0
                        for try await chunk in try await fixture.client.stream(bigRequest).body { count += chunk.count }
                        return count
                    }
                }
                for try await count in group { #expect(count == 8 << 20) }
            }
            try await nap
            var count = 0
            for try await chunk in asleep.body { count += chunk.count }
            #expect(count == 8 << 20)
        }
    }

    @Test func collectedCallsShareOneHTTP2ConnectionBesideASleepingReader() async throws {
        try await Fixture.run([big(8 << 20), .pattern()], over: .http2) { fixture in
            let asleep = try await fixture.client.stream(bigRequest)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<31 {
                    group.addTask {
                        try await fixture.client.send(Request<Bytes>("bytes", serializer: .bytes)).count
                    }
                }
                for try await count in group { #expect(count == 1 << 20) }
            }
            #expect(fixture.server.statistics.connections == 2)
            asleep.body.cancel()
        }
    }

    @Test func aFailingStatusOnAStreamIsCutAndThrown() async throws {
        let long = StubResponse(
            status: .internalServerError, body: .generated(length: 1 << 30) { Repeated(left: 1 << 30) })
        try await Fixture.run([Stub(.get, "/big", long)]) { fixture in
            let error = try await failure { try await fixture.client.stream(bigRequest) }
            #expect(error.status == 500)
            #expect(error.response?.body.count == 65_536)
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
        }
    }

    @Test func aDroppedBodyEndsItsTransfer() async throws {
        try await Fixture.run([big(1 << 30)]) { fixture in
            do {
                let response = try await fixture.client.stream(bigRequest)
                #expect(response.status == .ok)
                #expect(fixture.client.unfinishedCalls == 1)
            }
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func aShortBodyMayBeReadAfterItsTransferEnded() async throws {
        try await Fixture.run([Stub(.get, "/short", .text("hello"))]) { fixture in
            let response = try await fixture.client.stream(Request<Bytes>("short", serializer: .bytes))
            #expect(try await response.body.collect(upTo: 10) == Bytes("hello".utf8))
            #expect(response.body.metrics?.responseBytes == 5)
            let again = try await fixture.client.stream(Request<Bytes>("short", serializer: .bytes))
            await #expect(throws: NetError.self) { try await again.body.collect(upTo: 4) }
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func trailersComeAfterTheBody() async throws {
        let response = StubResponse(body: .chunks(["a", "b"]), trailers: ["X-Check": "42"])
        try await Fixture.run([Stub(.get, "/t", response)]) { fixture in
            let streamed = try await fixture.client.stream(Request<Bytes>("t", serializer: .bytes))
            #expect(try await streamed.body.collect(upTo: 10) == Bytes("ab".utf8))
            #expect(streamed.body.trailers?["X-Check"] == "42")
        }
    }
}
#endif

#if Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The cost of a captured body, over a real connection. Serialized, because memory is measured for the whole process.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct CapturedStreamTests {
    /// 256 MiB; 1 GiB in a soak.
    private static let size = ProcessInfo.processInfo.environment["NET_SOAK"] == "1" ? 1 << 30 : 1 << 28

    private func run(
        _ log: CaptureLog, over wire: Wire = .plain, _ stub: Stub = big(size, contentType: "text/plain"),
        _ body: (Fixture) async throws -> Void
    ) async throws {
        try await Fixture.run([stub], over: wire, with: .client { $0.listeners = [log] }, body)
    }

    @Test(arguments: Wire.allCases)
    func aCapturedBodyHoldsTheServerBackInFlatMemory(wire: Wire) async throws {
        let log = CaptureLog()
        try await run(log, over: wire) { fixture in
            let response = try await fixture.client.stream(Request<Bytes>("big", serializer: .bytes))
            var iterator = response.body.makeAsyncIterator()
            var (taken, start, peak, nextLook) = (0, 0, 0, 32 << 20)
            while let chunk = try await iterator.next() {
                if taken < 64 << 20 || taken > Self.size - 16 << 20 { #expect(Repeated.matches(chunk, at: taken)) }
                let before = taken
                taken += chunk.count
                if before < 64 << 20, taken >= 64 << 20 {
                    // Real time on purpose: the test measures the number of bytes that are accepted meanwhile.
                    try await Task.sleep(for: .seconds(2))
                    let ahead = fixture.server.statistics.bytesWritten - Int64(taken)
                    #expect(ahead <= 8 << 20, "\(ahead >> 10) KB ahead")
                }
                guard taken >= nextLook else { continue }
                if start == 0 { start = ThisProcess.residentBytes }
                peak = max(peak, ThisProcess.residentBytes)
                nextLook += 16 << 20
            }
            #expect(taken == Self.size, "grew by \((peak - start) >> 20) MB")
            #expect(peak - start < 32 << 20, "grew by \((peak - start) >> 20) MB")
            let body = try #require(log.exchanges.first?.response?.body)
            #expect(body.keptCount == 64 << 10)
            #expect(body.count == Int64(Self.size))
            #expect(body.isCut)
            #expect(body.failure == nil)
            #expect(Repeated.matches(body.bytes, at: 0))
        }
    }

    @Test func aBodyThatNobodyReadsIsNotDrained() async throws {
        let log = CaptureLog()
        try await run(log) { fixture in
            do {
                let response = try await fixture.client.stream(Request<Bytes>("big", serializer: .bytes))
                #expect(response.status == .ok)
                #expect(log.attempts.isEmpty)
            }
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
            #expect(fixture.server.statistics.bytesWritten <= 8 << 20)
            let body = try #require(log.exchanges.first?.response?.body)
            #expect(log.attempts.count == 1)
            #expect(body.count == 0)
            #expect(body.failure?.code == "cancelled")
        }
    }

    @Test func aUploadIsCapturedAsItIsSent() async throws {
        let log = CaptureLog()
        let echo = Stub(.post, "/big") { .text("\($0.body.count)") }
        try await run(log, echo) { fixture in
            let chunks = ChunkFeed(["one ", "two ", "three"])
            let request = Request<String>(
                "big", method: .post, body: .stream(chunks, contentType: "text/plain"))
            #expect(try await fixture.client.send(request) == "13")
            let exchange = try #require(log.exchanges.first)
            #expect(exchange.request.body.text == "one two three")
            #expect(!exchange.request.body.isCut)
            #expect(exchange.response?.body.text == "13")
            #expect(exchange.response?.version == "1.1")
        }
    }
}
#endif

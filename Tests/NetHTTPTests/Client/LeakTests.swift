#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct LeakTests {
    private let stubs = [
        Stub(.get, "/ok", .text("ok")), Stub(.get, "/missing", .text("no", status: .notFound)),
        Stub(.get, "/late", .text("late").delayed(by: .seconds(60))), Stub(.get, "/dropped", .dropped()), .pattern(),
        .mirror(),
    ]

    private func one(_ index: Int, _ client: HTTPClient) async {
        switch index % 8 {
        case 0: _ = try? await client.send(Request<Bytes>("ok", serializer: .bytes))
        case 1: _ = try? await client.send(Request<Bytes>("missing", serializer: .bytes))
        case 2, 3:
            let task = Task { try await client.send(Request<Bytes>("late", serializer: .bytes)) }
            for _ in 0..<(index % 50) { await Task.yield() }
            task.cancel()
            _ = try? await task.value
        case 4: _ = try? await client.send(Request<Bytes>("dropped", serializer: .bytes))
        case 5:
            // Reads a little, then drops the rest.
            guard let response = try? await client.stream(Request<Bytes>("bytes", serializer: .bytes)) else { return }
            var iterator = response.body.makeAsyncIterator()
            _ = try? await iterator.next()
        case 6: _ = try? await client.stream(Request<Bytes>("bytes", serializer: .bytes)).body.collect(upTo: 2 << 20)
        default:
            let chunks = AsyncStream<Bytes> { continuation in
                for _ in 0..<20 { continuation.yield(Bytes("chunk".utf8)) }
                continuation.finish()
            }
            let body = RequestBody.stream(chunks)
            _ = try? await client.send(Request<Bytes>("mirror", method: .post, body: body, serializer: .bytes))
        }
    }

    /// Without a client, nothing ends a call explicitly, so nothing may be kept until then.
    @Test func aCallOfATransportWithoutAClientIsFreed() async throws {
        try await Fixture.run(stubs) { fixture in
            for delivery in [BodyDelivery.collected(upTo: 1 << 20), .streamed] {
                weak var call: RunningCall?
                do {
                    let authority = String(fixture.server.baseURL.description.dropFirst("http://".count))
                    let request = PreparedRequest(
                        head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/ok"))
                    let context = CallContext(for: request, delivery: delivery)
                    let response = try await fixture.transport.execute(request, context: context)
                    #expect(try await response.body.collect(upTo: 10) == Bytes("ok".utf8))
                    call = context.call
                }
                // The loop releases the transfer asynchronously.
                for _ in 0..<500 where call != nil { try await Task.sleep(for: .milliseconds(10)) }
                #expect(call == nil, "\(delivery)")
            }
        }
    }

    /// In a separate process, where no other code opens descriptors.
    @Test(arguments: [Wire.plain, .http2]) func twoThousandMixedCallsLeaveNothingBehind(wire: Wire) async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [name = wire.rawValue as String] in
            let wire = try #require(Wire(rawValue: name))
            // One run first: descriptors that the process opens once and keeps aren't a leak.
            try await LeakTests().run(calls: 50, over: wire)
            do {
                try await LeakCheck.run(countingDescriptors: true) {
                    try await LeakTests().run(calls: 2000, over: wire)
                }
            } catch {
                ThisProcess.fail("\(error)")
            }
        }
        #expect(String(decoding: child?.standardErrorContent ?? [], as: UTF8.self) == "")
    }

    private func run(calls: Int, over wire: Wire) async throws {
        try await Fixture.run(stubs, over: wire) { fixture in
            let client = fixture.client
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<calls {
                    if index >= 50 { await group.next() }
                    group.addTask { await one(index, client) }
                }
            }
            if client.unfinishedCalls != 0 { ThisProcess.fail("\(client.unfinishedCalls) unfinished calls") }
            var statistics = fixture.transport.statistics
            // A dropped body ends its call immediately; its transfer ends when the loop is notified.
            for _ in 0..<500 where statistics.liveTransfers != 0 {
                try await Task.sleep(for: .milliseconds(10))
                statistics = fixture.transport.statistics
            }
            if statistics.liveTransfers != 0 || statistics.queuedTransfers != 0 { ThisProcess.fail("\(statistics)") }
            if statistics.startedTransfers <= calls / 2 { ThisProcess.fail("too few: \(statistics)") }
            try await fixture.server.wait { _, statistics in statistics.runningRequests == 0 }
            await client.shutdown()
            if fixture.transport.statistics.handles != 0 { ThisProcess.fail("\(fixture.transport.statistics)") }
        }
    }
}
#endif

#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CancellationTests {
    private let late = Request<Bytes>("late", serializer: .bytes)
    private let stubs = [
        Stub(.get, "/late", .text("late").delayed(by: .seconds(60))), Stub.drip(count: 1000, every: .milliseconds(20)),
        Stub(.get, "/ok", .text("ok")),
    ]

    @Test(arguments: Wire.allCases) func aCancelledCallEndsAtOnceAndTheServerSeesIt(wire: Wire) async throws {
        try await Fixture.run(stubs, over: wire) { fixture in
            let task = Task { try await fixture.client.send(late) }
            try await fixture.server.wait { requests, _ in requests.count == 1 }
            task.cancel()
            let error = await #expect(throws: APIError<Never>.self) { try await task.value }
            #expect(error?.netError?.code == .cancelled)
            #expect(error?.netError?.phase == .waiting)
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
            #expect(fixture.transport.statistics.liveTransfers == 0)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func aTaskCancelledBeforehandSendsNothing() async throws {
        try await Fixture.run(stubs) { fixture in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await fixture.client.send(Request<Bytes>("ok", serializer: .bytes))
            }
            let error = await #expect(throws: APIError<Never>.self) { try await task.value }
            #expect(error?.netError?.isCancellation == true)
            #expect(fixture.server.requests.isEmpty)
        }
    }

    @Test func cancellingAReaderEndsTheBody() async throws {
        try await Fixture.run(stubs) { fixture in
            let seen = Locked(0)
            let task = Task {
                for try await chunk in try await fixture.client.stream(Request<Bytes>("drip", serializer: .bytes)).body
                {
                    seen.change { $0 += chunk.count }
                }
            }
            while seen.value == 0, !Task.isCancelled { await Task.yield() }
            task.cancel()
            await #expect(throws: NetError.self) { try await task.value }
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    @Test func callsInLineCanBeCancelled() async throws {
        try await Fixture.run(stubs, with: .transport { $0.maximumTransfers = 1 }) { fixture in
            let first = Task { try await fixture.client.send(late) }
            try await fixture.server.wait { requests, _ in requests.count == 1 }
            let second = Task { try await fixture.client.send(Request<Bytes>("ok", serializer: .bytes)) }
            while fixture.transport.statistics.queuedTransfers == 0, !Task.isCancelled { await Task.yield() }
            second.cancel()
            await #expect(throws: APIError<Never>.self) { try await second.value }
            #expect(fixture.transport.statistics.queuedTransfers == 0)
            let third = Task { try await fixture.client.send(Request<Bytes>("ok", serializer: .bytes)) }
            first.cancel()
            #expect(try await third.value == Bytes("ok".utf8))
        }
    }

    @Test func shutdownEndsEveryCall() async throws {
        try await Fixture.run(stubs) { fixture in
            let waiting = Task { try await fixture.client.send(late) }
            let streaming = try await fixture.client.stream(Request<Bytes>("drip", serializer: .bytes))
            try await fixture.server.wait { requests, _ in requests.count == 2 }
            await fixture.client.shutdown()
            let error = await #expect(throws: APIError<Never>.self) { try await waiting.value }
            #expect(error?.netError?.code == .shutdown)
            let streamError = await #expect(throws: NetError.self) { for try await _ in streaming.body {} }
            #expect(streamError?.code == .shutdown)
            let after = try await failure { try await fixture.client.send(late) }
            #expect(after.code == .shutdown)
            #expect(fixture.transport.statistics.handles == 0)
        }
    }

    @Test func shutdownEndsTheCallsInLineToo() async throws {
        try await Fixture.run(stubs, with: .transport { $0.maximumTransfers = 2 }) { fixture in
            let calls = (0..<10).map { _ in Task { try await fixture.client.send(late) } }
            while fixture.transport.statistics.queuedTransfers < 8, !Task.isCancelled { await Task.yield() }
            await fixture.client.shutdown()
            for call in calls {
                let error = await #expect(throws: APIError<Never>.self) { try await call.value }
                #expect(error?.netError?.code == .shutdown)
            }
            #expect(fixture.transport.statistics.liveTransfers == 0)
            #expect(fixture.transport.statistics.queuedTransfers == 0)
        }
    }
}
#endif

import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Synchronization
import TestSupport
import Testing

@testable import ClientTestSupport

/// Foreign transports and middleware: those that declare that they end with their call, and those that don't.
@Suite(.timeLimit(.minutes(1))) struct CallPartTests {
    /// Waits for a response that never arrives, until the call ends.
    private final class Waiting: HTTPTransport {
        let endsWithCall: Bool
        let tasks = Locked<[Int]>([])
        let givenUp = Locked(0)
        private let waiters = Mutex(WaiterList<Void>())

        init(endsWithCall: Bool) { self.endsWithCall = endsWithCall }

        var isWaiting: Bool { !tasks.value.isEmpty }

        func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
            let waiter = waiters.withLock { $0.register() }
            tasks.change { $0.append(currentTask) }
            await context.untilEnded {
                await withUnsafeContinuation { continuation in
                    waiters.withLock { $0.suspend(waiter, continuation, fallback: ()) }?.resume()
                }
            } giveUp: { [self] in
                givenUp.change { $0 += 1 }
                waiters.withLock { $0.release(waiter, with: ()) }?.resume()
            }
            throw context.error(.cancelled, phase: .waiting, message: "given up")
        }
    }

    private struct Passing: Middleware {
        let endsWithCall: Bool
        func intercept(_ request: PreparedRequest, context: CallContext, next: Next) async throws -> StreamedResponse {
            try await next(request, context)
        }
    }

    enum End: CaseIterable {
        case task, client, shutdown, total

        var code: NetError.Code {
            switch self {
            case .task, .client: .cancelled
            case .shutdown: .shutdown
            case .total: .timeout
            }
        }
    }

    private func client(
        _ transport: any HTTPTransport, _ middleware: [any Middleware] = [], _ clock: TestClock? = nil
    ) -> HTTPClient {
        HTTPClient(baseURL: "http://h.test", transport: transport) {
            $0.timeouts = .total(.seconds(5))
            $0.middleware = middleware
            // Time advances only when a test says so, so that no call ends early on a busy machine.
            $0.clock = (clock ?? TestClock()).netClock
        }
    }

    @Test(arguments: End.allCases, [true, false]) func everyEndOfACallEndsTheWait(_ end: End, endsWithCall: Bool)
        async throws
    {
        try await LeakCheck.run {
            let clock = TestClock()
            let transport = Waiting(endsWithCall: endsWithCall)
            let client = client(transport, [], clock)
            let call = Task { try await client.send(Request<Bytes>("x")) }
            while !transport.isWaiting, !Task.isCancelled { await Task.yield() }
            switch end {
            case .task: call.cancel()
            case .client: client.cancelAll()
            case .shutdown: await client.shutdown()
            case .total:
                try await clock.waitForSleepers(count: 1)
                await clock.advance(by: .seconds(5))
            }
            let error = try await failure { try await call.value }
            #expect(error.code == end.code)
            #expect(error.attempt == 1)
            #expect(await eventually { transport.givenUp.value > 0 })
            #expect(client.unfinishedCalls == 0)
        }
    }

    @Test(arguments: [true, false], [true, false])
    func onlyPartsThatMayOutlastTheirCallRunInATaskOfTheirOwn(transportEnds: Bool, middlewareEnds: Bool) async throws {
        let transport = Waiting(endsWithCall: transportEnds)
        let client = client(transport, [Passing(endsWithCall: middlewareEnds)])
        let call = Task {
            let task = currentTask
            _ = try? await client.send(Request<Bytes>("x"))
            return task
        }
        while !transport.isWaiting, !Task.isCancelled { await Task.yield() }
        client.cancelAll()
        let caller = await call.value
        #expect((transport.tasks.value == [caller]) == (transportEnds && middlewareEnds))
    }

    /// A body that arrives until the call ends.
    private struct Endless: HTTPTransport {
        let isCancelled = SharedFlag()
        var endsWithCall: Bool { true }

        func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
            let (chunks, more) = AsyncStream.makeStream(of: Bytes.self)
            more.yield(Bytes("a".utf8))
            context.onEnd { [isCancelled] in
                isCancelled.set()
                more.finish()
            }
            return StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody(chunks))
        }
    }

    @Test func aBodyIsEndedWithItsCall() async throws {
        let transport = Endless()
        let client = client(transport)
        var body = try await client.stream(Request<Bytes>("x")).body.makeAsyncIterator()
        #expect(try await body.next() == Bytes("a".utf8))
        client.cancelAll()
        let error = try await failure { try await body.next() }
        #expect(error.isCancellation)
        #expect(transport.isCancelled.isSet)
    }
}

/// Names the task that calls it.
private var currentTask: Int { withUnsafeCurrentTask { $0.hashValue } }

private final class SharedFlag: Sendable {
    private let state = Atomic(false)
    var isSet: Bool { state.load(ordering: .acquiring) }
    func set() { state.store(true, ordering: .releasing) }
}

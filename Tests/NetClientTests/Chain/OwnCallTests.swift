import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// Calls that a middleware makes on its own.
@Suite(.timeLimit(.minutes(1))) struct OwnCallTests {
    private typealias Outcome = Result<String, NetError>

    /// Returns the response, and fetches another page in the background.
    private struct Warming: Middleware {
        let outcomes: Locked<[Outcome]>
        var path = "/warm"

        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            let response = try await next(request, context)
            var warm = request
            warm.head.path = path
            let call = context.beginCall(warm)
            Task { [outcomes] in
                let outcome: Outcome
                do throws(NetError) {
                    outcome = .success(
                        try await call.run(through: next) {
                            String(decoding: try await $0.body.collect(upTo: 100), as: UTF8.self)
                        })
                } catch {
                    outcome = .failure(error)
                }
                outcomes.change { $0.append(outcome) }
            }
            return response
        }
    }

    private let get = Request<String>("x", serializer: .string)
    private let outcomes = Locked<[Outcome]>([])
    private let events = Locked<[ActivityEvent]>([])

    private struct Listener: ActivityListener {
        let events: Locked<[ActivityEvent]>
        func record(_ event: ActivityEvent) { events.change { $0.append(event) } }
    }

    private func client(_ stubs: Stub...) -> HTTPClient {
        HTTPClient(
            baseURL: "http://mock.test", transport: MockTransport([Stub(.get, "/x", .text("ok"))] + stubs)
        ) {
            $0.middleware = [Warming(outcomes: outcomes)]
            $0.listeners = [Listener(events: events)]
        }
    }

    private func names(of call: CallID?) -> [String] { events.value.filter { $0.call == call }.map(\.name) }

    private var ownCall: CallID? { events.value.first { $0.url.hasSuffix("/warm") }?.call }

    @Test func aCallOfItsOwnHasItsIDAndItsEvents() async throws {
        let client = client(Stub(.get, "/warm", .text("hot")))
        let response = try await client.response(get)
        while outcomes.value.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(try outcomes.value.map { try $0.get() } == ["hot"])
        #expect(ownCall != response.call.id)
        #expect(names(of: ownCall) == ["started", "attemptEnded", "completed"])
        #expect(names(of: response.call.id) == ["started", "attemptEnded", "completed"])
        #expect(client.unfinishedCalls == 0)
        let end = try #require(events.value.last { $0.call == ownCall })
        guard case .ended(.completed(status: 200, responseBytes: 3)) = end.kind else {
            Issue.record("\(end)")
            return
        }
    }

    @Test func aCallOfItsOwnEndsWithItsError() async throws {
        let client = client(Stub(.get, "/warm", .dropped()))
        try await client.send(get)
        while outcomes.value.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(names(of: ownCall).last == "failed")
        guard case .failure(let error) = outcomes.value[0] else { return }
        #expect(error.code == .connectionLost)
        #expect(error.call?.id == ownCall)
    }

    @Test func aStatusThatIsNotAcceptedIsRejected() async throws {
        try await client(Stub(.get, "/warm", .text("no", status: .notFound))).send(get)
        while outcomes.value.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(names(of: ownCall).last == "rejected")
    }

    /// Until it ends, its client counts it and can cancel it.
    @Test(arguments: [false, true]) func theClientEndsACallOfItsOwn(byShutdown: Bool) async throws {
        let clock = TestClock()
        let transport = MockTransport(
            [Stub(.get, "/x", .text("ok")), Stub(.get, "/warm", .text("late").delayed(by: .seconds(60)))])
        let client = HTTPClient(baseURL: "http://mock.test", transport: transport) {
            $0.middleware = [Warming(outcomes: outcomes)]
            $0.listeners = [Listener(events: events)]
            $0.clock = clock.netClock
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
        }
        try await client.send(get)
        #expect(client.unfinishedCalls == 1)
        if byShutdown { await client.shutdown() } else { client.cancelAll() }
        while outcomes.value.isEmpty, !Task.isCancelled { await Task.yield() }
        guard case .failure(let error) = outcomes.value[0] else {
            Issue.record("\(outcomes.value)")
            return
        }
        #expect(error.code == (byShutdown ? .shutdown : .cancelled))
        #expect(client.unfinishedCalls == 0)
        #expect(names(of: ownCall).last == (byShutdown ? "failed" : "cancelled"))
    }

    /// It never stays in the client's list.
    @Test func aCallThatIsNeverRunEndsAsCancelled() async throws {
        struct Forgetful: Middleware {
            func intercept(
                _ request: PreparedRequest, context: CallContext, next: Next
            ) async throws -> StreamedResponse {
                var other = request
                other.head.path = "/warm"
                _ = context.beginCall(other)
                return try await next(request, context)
            }
        }
        let client = HTTPClient(
            baseURL: "http://mock.test", transport: MockTransport([Stub(.get, "/x", .text("ok"))])
        ) {
            $0.middleware = [Forgetful()]
            $0.listeners = [Listener(events: events)]
        }
        try await client.send(get)
        #expect(client.unfinishedCalls == 0)
        #expect(names(of: ownCall) == ["started", "cancelled"])
    }

    @Test func aCallIsMadeOnce() async throws {
        let request = PreparedRequest(head: HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/"))
        let call = CallContext(for: request).beginCall(request)
        let next = Next { (_, _) async throws(NetError) -> StreamedResponse in
            StreamedResponse(head: ResponseHead(status: .ok), body: ResponseBody([1]))
        }
        #expect(try await call.run(through: next) { $0.status } == .ok)
        let error = await #expect(throws: NetError.self) { try await call.run(through: next) { $0.status } }
        #expect(error?.code == .invalidRequest)
    }
}

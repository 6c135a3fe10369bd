#if ServiceLifecycle && Server
@testable import ClientTestSupport
import HTTPTypes
import Logging
import NetHTTP
import NetTestServer
import NetTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite(.timeLimit(.minutes(2))) struct ClientServiceTests {
    private let stubs = [Stub(.get, "/ok", .text("hello")), Stub(.get, "/late", .text("x").delayed(by: .seconds(60)))]

    private func isShutDown(_ client: HTTPClient) async throws -> Bool {
        do {
            try await client.send(Request<String>("ok", serializer: .string))
            return false
        } catch {
            return error.netError?.code == .shutdown
        }
    }

    @Test func aGracefulShutdownWaitsForTheCallsThereAre() async throws {
        try await Fixture.run([.pattern()] + stubs) { fixture in
            let client = fixture.client
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup { group in
                    group.addTask { try await client.run() }
                    let body = try await client.stream(Request<Bytes>("bytes", serializer: .bytes)).body
                    trigger.triggerGracefulShutdown()
                    while !(try await isShutDown(client)), !Task.isCancelled { await Task.yield() }
                    // It began earlier, so it completes.
                    var count = 0
                    for try await chunk in body { count += chunk.count }
                    #expect(count > 0)
                    try await group.waitForAll()
                }
            }
            #expect(client.unfinishedCalls == 0)
        }
    }

    @Test func aCancelledServiceEndsItsCallsAtOnce() async throws {
        try await Fixture.run(stubs) { fixture in
            let client = fixture.client
            let service = Task { try await client.run() }
            let call = Task { try await client.send(Request<Bytes>("late", serializer: .bytes)) }
            try await fixture.server.wait { requests, _ in requests.count == 1 }
            service.cancel()
            try await service.value
            let error = try await failure { try await call.value }
            #expect(error.code == .shutdown)
            #expect(try await isShutDown(client))
        }
    }
}
#endif

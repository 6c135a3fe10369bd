#if Server
@testable import ClientTestSupport
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The queue of a transport and its connections per host.
@Suite(.timeLimit(.minutes(1))) struct ConnectionCountTests {
    private func request(_ path: Path, _ priority: RequestPriority = .normal) -> Request<String> {
        Request(path, options: RequestOptions(priority: priority), serializer: .string)
    }

    /// One transfer at a time: more important calls run before earlier ones.
    @Test func aLineIsKeptByPriority() async throws {
        let gate = Gate()
        let stubs = [
            Stub(.get, "/first") { _ in
                await gate.wait()
                return .text("ok")
            }, Stub(.get, "/{name}", .text("ok")),
        ]
        try await Fixture.run(stubs, with: .transport { $0.maximumTransfers = 1 }) { fixture in
            let client = fixture.client
            var tasks = [Task { try await client.send(request("first")) }]
            while fixture.server.requests.isEmpty, !Task.isCancelled { await Task.yield() }
            for (index, (path, priority)) in [
                ("low1", .low), ("a", .normal), ("high1", .high), ("b", .normal), ("low2", .low), ("high2", .high),
            ].enumerated() as EnumeratedSequence<[(Path, RequestPriority)]> {
                tasks.append(Task { try await client.send(request(path, priority)) })
                while fixture.transport.statistics.queuedTransfers < index + 1, !Task.isCancelled { await Task.yield() }
            }
            let waiting = await client.connections()
            try #require(waiting.count == 1)
            #expect(waiting[0].waiting == 6)
            #expect(waiting[0].open == 1)
            #expect(waiting[0].idle == 0)
            gate.open()
            for task in tasks { _ = try await task.value }
            #expect(
                fixture.server.requests.map(\.target)
                    == ["/first", "/high1", "/high2", "/a", "/b", "/low1", "/low2"])
            #expect(fixture.transport.statistics.queuedTransfers == 0)
        }
    }

    /// Holds responses back until it is opened.
    private final class Gate: Sendable {
        private let isOpen = Locked(false)
        func open() { isOpen.change { $0 = true } }
        func wait() async { while !isOpen.value, !Task.isCancelled { await Task.yield() } }
    }

    @Test(arguments: Wire.allCases) func aHostHasSoManyOpenAndIdleConnections(wire: Wire) async throws {
        let gate = Gate()
        let stubs = [
            Stub(.get, "/slow") { _ in
                await gate.wait()
                return .text("ok")
            }, Stub(.get, "/quick", .text("ok")),
        ]
        try await Fixture.run(stubs, over: wire) { fixture in
            let client = fixture.client
            #expect(await client.connections().isEmpty)
            try await client.send(request("quick"))
            var host = try #require(await client.connections().first)
            let origin = fixture.server.baseURL.origin
            #expect(host == HostConnections(origin: origin, open: 1, idle: 1))
            let tasks = (0..<3).map { _ in Task { try await client.send(request("slow")) } }
            while fixture.server.requests.count < 4, !Task.isCancelled { await Task.yield() }
            host = try #require(await client.connections().first)
            #expect(host == HostConnections(origin: origin, open: wire == .http2 ? 1 : 3))
            #expect(host.active == host.open)
            // A streamed body has its own connection, even while its consumer is busy elsewhere.
            let stream = try await client.stream("quick")
            _ = stream
            gate.open()
            for task in tasks { _ = try await task.value }
            stream.body.cancel()
            let readings = await client.connections()
            #expect(readings.allSatisfy { $0.waiting == 0 && $0.idle <= $0.open })
            #expect(readings.first?.idle ?? 0 >= (wire == .http2 ? 1 : 3), "\(readings)")
        }
    }

    @Test func aTransportThatHasEndedHasNone() async throws {
        let transport = CurlTransport()
        let client = HTTPClient(baseURL: "http://127.0.0.1:1", transport: transport)
        await client.shutdown()
        #expect(await transport.connections().isEmpty)
        #expect(
            await HTTPClient.failing(with: NetError(.connect, phase: .connecting, message: "m")).connections().isEmpty)
    }
}
#endif

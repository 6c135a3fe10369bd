#if Server
import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct ProxyTests {
    /// Runs `body` with a server, behind a proxy.
    private func withProxy(
        _ stubs: [Stub], toServer: TCPProxy.Direction = .clear, toClient: TCPProxy.Direction = .clear,
        tls: TestServer.TLS? = nil, _ body: (TestServer, TCPProxy) async throws -> Void
    ) async throws {
        var configuration = TestServer.Configuration()
        configuration.tls = tls
        let server = try await TestServer.start(stubs, configuration: configuration)
        let proxy = try await TCPProxy.start(
            to: server.port, configuration: TCPProxy.Configuration(toServer: toServer, toClient: toClient))
        try await body(server, proxy)
        await proxy.stop()
        await server.stop()
    }

    @Test func aClearProxyChangesNothing() async throws {
        try await withProxy([.mirror(), .pattern()]) { _, proxy in
            let body = String(repeating: "0123456789", count: 300_000)
            try await withFile(body) { file in
                let result = try await Tool.curl("--data-binary", "@" + file, "127.0.0.1:\(proxy.port)/mirror")
                let isSame = result.text == body
                #expect(isSame, "\(result.errors)")
            }
            let pattern = try await Tool.curl("127.0.0.1:\(proxy.port)/bytes?bytes=3000001")
            #expect(pattern.output.count == 3_000_001)
            #expect(BytePattern.matches(pattern.output, at: 0))
            let statistics = proxy.statistics
            #expect(statistics.connections == 2)
            #expect(statistics.cuts == 0)
            #expect(statistics.bytesDiscarded == 0)
            #expect(statistics.bytesToServer > 3_000_000)
            #expect(statistics.bytesToClient > 6_000_001)
        }
    }

    @Test func tlsAndHTTP2PassThroughIt() async throws {
        try await withProxy([.pattern()], toClient: .init(sliceBytes: 700), tls: .init()) { server, proxy in
            try await withFile(try #require(server.caCertificatePEM)) { file in
                let result = try await Tool.curl("--cacert", file, "https://127.0.0.1:\(proxy.port)/bytes?bytes=100000")
                #expect(result.output.count == 100_000, "\(result.errors)")
            }
            #expect(server.requests.first?.version == "2")
        }
    }

    @Test func latencyDelaysEachDirection() async throws {
        let late = TCPProxy.Direction(latency: .milliseconds(150))
        try await withProxy([.echo()], toServer: late, toClient: late) { _, proxy in
            let start = ContinuousClock.now
            let result = try await Tool.curl("127.0.0.1:\(proxy.port)/echo")
            #expect(result.exitCode == 0)
            #expect(ContinuousClock.now - start >= .milliseconds(300))
        }
    }

    @Test func theBandwidthHoldsTheSenderBack() async throws {
        try await withProxy([.pattern()], toClient: .init(bytesPerSecond: 200_000)) { _, proxy in
            let start = ContinuousClock.now
            let result = try await Tool.curl("127.0.0.1:\(proxy.port)/bytes?bytes=100000")
            let time = ContinuousClock.now - start
            #expect(result.output.count == 100_000)
            #expect(time >= .milliseconds(450), "\(time)")
            #expect(time < .seconds(5), "\(time)")
        }
    }

    @Test func writesAreSliced() async throws {
        try await withProxy([Stub(.get, "/", .text("hello"))], toClient: .init(sliceBytes: 1)) { _, proxy in
            let result = try await Tool.curl("127.0.0.1:\(proxy.port)/")
            #expect(result.text == "hello")
            let statistics = proxy.statistics
            #expect(statistics.writesToClient == Int(statistics.bytesToClient))
            #expect(statistics.bytesToClient > 50)
        }
    }

    @Test(arguments: [(ConnectionDrop.Form.close, 18 as Int32), (.reset, 56)])
    func aCutEndsBothSidesAfterThatManyBytes(_ form: ConnectionDrop.Form, _ code: Int32) async throws {
        let cut = TCPProxy.Direction(cut: .init(afterBytes: 5000, form: form))
        try await withProxy([.pattern(bytes: 50_000_000)], toClient: cut) { server, proxy in
            let result = try await Tool.curl("127.0.0.1:\(proxy.port)/bytes")
            #expect(result.exitCode == code, "\(result.errors)")
            #expect(result.output.count < 5000)
            try await server.wait { requests, _ in requests.first?.outcome == .clientWentAway }
            #expect(proxy.statistics.bytesToClient == 5000)
            #expect(proxy.statistics.cuts == 1)
        }
    }

    @Test func aBlackholeTakesEverythingAndTellsNobody() async throws {
        try await withProxy([.echo()], toServer: .blackhole) { server, proxy in
            let result = try await Tool.curl("--max-time", "2", "127.0.0.1:\(proxy.port)/echo")
            #expect(result.exitCode == 28)
            #expect(server.requests.isEmpty)
            #expect(server.statistics.connections == 1)
            #expect(proxy.statistics.bytesDiscarded > 0)
            #expect(proxy.statistics.bytesToServer == 0)
            // Not even the client's end is forwarded.
            #expect(server.statistics.openConnections == 1)
            await proxy.stop()
            try await server.wait { $1.openConnections == 0 }
        }
    }

    @Test func bytesInTransitArriveBeforeTheConnectionCloses() async throws {
        // The server closes immediately, while its last bytes are still in transit.
        let response = StubResponse.text("hello").header(.connection, "close")
        try await withProxy([Stub(.get, "/", response)], toClient: .init(latency: .milliseconds(200))) {
            server, proxy in
            let result = try await Tool.curl("127.0.0.1:\(proxy.port)/")
            #expect(result.text == "hello")
            try await server.wait { $1.openConnections == 0 }
        }
    }

    @Test func aServerThatIsNotThereEndsTheConnection() async throws {
        let closed = try ClosedPort()
        let proxy = try await TCPProxy.start(to: closed.port)
        let result = try await Tool.curl("127.0.0.1:\(proxy.port)/")
        #expect(result.exitCode != 0)
        #expect(proxy.statistics.unreachable == 1)
        await proxy.stop()
        withExtendedLifetime(closed) {}
    }

    @Test func aChangeCountsForNewConnections() async throws {
        try await withProxy([.echo()]) { _, proxy in
            let result = try await Tool.curl("127.0.0.1:\(proxy.port)/echo")
            #expect(result.exitCode == 0)
            proxy.configuration.toServer = TCPProxy.Direction(cut: .init(afterBytes: 0, form: .reset))
            let second = try await Tool.curl("127.0.0.1:\(proxy.port)/echo")
            #expect(second.exitCode != 0)
        }
    }
}
#endif

#if Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import NetTestServer
import TestSupport
import Testing

/// Calls that wait for a connection which another call makes or uses.
@Suite(.timeLimit(.minutes(1))) struct ConnectionLineTests {
    private let clock = ContinuousClock()

    /// How long so many calls at once take; each must succeed.
    private func time(of count: Int, _ client: HTTPClient) async throws -> Duration {
        try await clock.measure {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<count { group.addTask { try await client.send(Request<String>("x")) } }
                for try await text in group { #expect(text == "ok") }
            }
        }
    }

    private func begin(_ count: Int, _ client: HTTPClient) async -> [Task<Void, Never>] {
        let tasks = (0..<count).map { _ in
            Task { _ = try? await client.send(Request<Bytes>("x", serializer: .bytes)) }
        }
        while client.unfinishedCalls < count { await Task.yield() }
        return tasks
    }

    /// Behind a host that never answers, each would try it when the one before has given up.
    @Test func whoWaitsForAConnectionHasTheSameConnectTimeOut() async throws {
        let connections = Locked(0)
        let peer = try ScriptedPeer { connection, _ in
            connections.change { $0 += 1 }
            connection.waitForClose()
        }
        var configuration = HTTPClient.Configuration(baseURL: try BaseURL("https://127.0.0.1:\(peer.port)"))
        configuration.timeouts.connect = .milliseconds(500)
        let client = HTTPClient(configuration: configuration, transport: CurlTransport())
        for task in await begin(12, client) { await task.value }
        // One after the other, each would make one of its own.
        #expect((1...6).contains(connections.value), "\(connections.value)")
        await client.shutdown()
        peer.stop()
    }

    /// So does who waits for one that may be free, where nobody has any.
    @Test func whoWaitsBehindACapForADeadHostHasTheSameConnectTimeOut() async throws {
        let connections = Locked(0)
        let peer = try ScriptedPeer { connection, _ in
            connections.change { $0 += 1 }
            connection.waitForClose()
        }
        var limited = CurlTransport.Configuration()
        limited.maximumConnectionsPerHost = 2
        for version in [CurlTransport.Configuration.Version.http1, .http2] {
            limited.version = version
            var configuration = HTTPClient.Configuration(baseURL: try BaseURL("https://127.0.0.1:\(peer.port)"))
            configuration.timeouts.connect = .milliseconds(500)
            let client = HTTPClient(configuration: configuration, transport: CurlTransport(configuration: limited))
            connections.change { $0 = 0 }
            for task in await begin(12, client) { await task.value }
            // One after the other, each would make one of its own.
            #expect((2...8).contains(connections.value), "\(connections.value)")
            await client.shutdown()
        }
        peer.stop()
    }

    /// A connection that cannot be made says nothing of one that is there.
    @Test func whoWaitsBehindACapForABusyHostWaitsOn() async throws {
        let hasFailed = Locked(false)
        let peer = try ScriptedPeer { connection, number in
            guard number == 0 else { return hasFailed.change { $0 = true } }
            while connection.readHead() != nil {
                usleep(300_000)
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        var limited = CurlTransport.Configuration()
        limited.maximumConnectionsPerHost = 1
        var configuration = HTTPClient.Configuration(baseURL: peer.baseURL)
        configuration.timeouts.connect = .milliseconds(200)
        let client = HTTPClient(configuration: configuration, transport: CurlTransport(configuration: limited))
        #expect(try await time(of: 5, client) > .seconds(1))
        #expect(!hasFailed.value)
        await client.shutdown()
        peer.stop()
    }

    /// libcurl has one line for all hosts.
    @Test(.enabled(if: NginxSite.program != nil)) func aHostThatNeverAnswersHoldsNoOtherBack() async throws {
        let hole = try ScriptedPeer { connection, _ in connection.waitForClose() }
        try await NginxSite.withHTTP2("location / { return 200 'ok'; }") { client, transport in
            let dead = HTTPClient(baseURL: "https://localhost:\(hole.port)", transport: transport) {
                $0.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil)
            }
            let tasks = await begin(12, dead)
            _ = try await time(of: 4, client)
            #expect(dead.unfinishedCalls == 12)
            dead.cancelAll()
            for task in tasks { await task.value }
        }
        hole.stop()
    }

    @Test func aHostThatIsFullHoldsNoOtherBack() async throws {
        let slow = try ScriptedPeer { connection, _ in connection.waitForClose() }
        let quick = try ScriptedPeer { connection, _ in
            while connection.readHead() != nil {
                usleep(20_000)
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = CurlTransport(configuration: configuration)
        let full = HTTPClient(baseURL: slow.baseURL, transport: transport) {
            $0.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil)
        }
        let client = HTTPClient(baseURL: quick.baseURL, transport: transport)
        let tasks = await begin(12, full)
        _ = try await time(of: 6, client)
        #expect(full.unfinishedCalls == 12)
        full.cancelAll()
        for task in tasks { await task.value }
        await full.shutdown()
        slow.stop()
        quick.stop()
    }
}
#endif

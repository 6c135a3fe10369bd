#if Server
@testable import ClientTestSupport
import Foundation
import NetHTTP
import NetTestServer
import TestSupport
import Testing

/// Calls that wait for a connection that another call opens or uses.
@Suite(.timeLimit(.minutes(1))) struct ConnectionLineTests {
    private let clock = ContinuousClock()

    /// Returns the duration of concurrent calls; each must succeed.
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
        while client.unfinishedCalls < count, !Task.isCancelled { await Task.yield() }
        return tasks
    }

    /// For a host that never responds, each call would otherwise try a connection of its own after the previous one has
    /// given up.
    @Test func callsWaitingForAConnectionTimeOutTogether() async throws {
        let connections = Locked(0)
        let peer = try ScriptedPeer { connection, _ in
            connections.change { $0 += 1 }
            connection.waitForClose()
        }
        var configuration = HTTPClient.Configuration(baseURL: try BaseURL("https://127.0.0.1:\(peer.port)"))
        configuration.timeouts.connect = .milliseconds(500)
        let client = HTTPClient(configuration: configuration, transport: CurlTransport())
        for task in await begin(12, client) { await task.value }
        // If they tried one after another, each would open its own connection.
        #expect((1...6).contains(connections.value), "\(connections.value)")
        await client.shutdown()
        peer.stop()
    }

    /// The same for a call that waits for a connection to become free when there is none.
    @Test func callsQueuedForAnUnresponsiveHostTimeOutTogether() async throws {
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
            // If they tried one after another, each would open its own connection.
            #expect((2...8).contains(connections.value), "\(connections.value)")
            await client.shutdown()
        }
        peer.stop()
    }

    /// The connect timeout doesn't apply to waiting for an existing connection.
    @Test func callsQueuedForABusyHostDoNotTimeOut() async throws {
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
        configuration.timeouts.connect = .milliseconds(800)
        let client = HTTPClient(configuration: configuration, transport: CurlTransport(configuration: limited))
        #expect(try await time(of: 5, client) > .seconds(1))
        #expect(!hasFailed.value)
        await client.shutdown()
        peer.stop()
    }

    /// libcurl has a single queue for all hosts.
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

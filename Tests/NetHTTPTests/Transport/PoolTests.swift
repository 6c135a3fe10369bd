#if Server
@testable import ClientTestSupport
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct PoolTests {
    private let ok = Request<String>("ok", serializer: .string)
    private let stubs = [
        Stub(.get, "/ok", .text("ok")), Stub(.get, "/slow", .text("slow").delayed(by: .milliseconds(200))),
    ]

    @Test func aConnectionThatWasIdleForTooLongIsNotUsedAgain() async throws {
        for (life, connections) in [(Duration.seconds(1), 2), (.seconds(90), 1)] {
            try await Fixture.run(stubs, with: .transport { $0.idleConnectionLife = life }) { fixture in
                try await fixture.client.send(ok)
                // The test is about the age, measured by libcurl's clock in whole seconds.
                try await Task.sleep(for: .milliseconds(2100))
                try await fixture.client.send(ok)
                #expect(fixture.server.statistics.connections == connections)
            }
        }
    }

    @Test func aConnectionThatIsTooOldIsNotUsedAgain() async throws {
        for (life, isRenewed) in [(Duration.seconds(1), true), (nil, false)] {
            try await Fixture.run(stubs, with: .transport { $0.connectionLife = life }) { fixture in
                let start = ContinuousClock().now
                while ContinuousClock().now - start < .milliseconds(2500) {
                    try await fixture.client.send(Request<String>("slow", serializer: .string))
                }
                #expect((fixture.server.statistics.connections > 1) == isRenewed)
            }
        }
    }

    @Test(arguments: [1, 3, nil]) func aHostGetsSoManyConnections(limit: Int?) async throws {
        let change: @Sendable (inout CurlTransport.Configuration) -> Void = {
            $0.maximumConnectionsPerHost = limit
            $0.version = .http1
        }
        try await Fixture.run(stubs, with: .transport(change)) { fixture in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<16 {
                    group.addTask { try await fixture.client.send(Request<String>("slow", serializer: .string)) }
                }
                for try await text in group { #expect(text == "slow") }
            }
            let opened = fixture.server.statistics.connections
            if let limit { #expect(opened == limit) } else { #expect(opened > 3) }
        }
    }

    @Test func waitingForAConnectionIsNoTimeOutOfConnecting() async throws {
        let setup = Fixture.Setup(
            transport: { $0.maximumConnectionsPerHost = 1 }, client: { $0.timeouts.connect = .milliseconds(450) })
        try await Fixture.run(stubs, with: setup) { fixture in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await fixture.client.send(Request<String>("slow", serializer: .string)) }
                }
                for try await text in group { #expect(text == "slow") }
            }
        }
    }

    /// Otherwise each call beyond the capacity of one connection would get its own.
    @Test(.enabled(if: Nginx.program.path != nil)) func manyCallsAtOnceShareFewConnections() async throws {
        try await NginxSite.withHTTP2("location / { return 200 'ok'; }") { client, transport in
            for _ in 0..<2 {
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<350 { group.addTask { try await client.send(Request<String>("x")) } }
                    for try await text in group { #expect(text == "ok") }
                }
            }
            // Four for 350 calls; nginx ends a connection after a thousand requests.
            #expect((1...6).contains(transport.statistics.openedConnections))
        }
    }
}
#endif

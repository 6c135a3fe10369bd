#if Server
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Attempts and their delays, in virtual time.
@Suite(.timeLimit(.minutes(1))) struct DownloadRetryTests {
    private func run(
        _ stubs: [Stub], _ body: @escaping @Sendable (HTTPClient, DownloadBench, TestClock) async throws -> Void
    ) async throws {
        let clock = TestClock()
        let client = virtual(clock, MockTransport(stubs))
        try await DownloadBench.with { bench in try await body(client, bench, clock) }
    }

    private let request = DownloadRequest("http://mock.test/file")

    private static func patient(_ settings: inout DownloadRun.Settings) {
        settings.retry = DownloadRun.Settings().retry
    }

    @Test func theServersWishIsHonored() async throws {
        let busy = StubResponse.status(.serviceUnavailable).header(.retryAfter, "7")
        try await run([Stub(.get, "/file", busy).times(2), Stub(.get, "/file", .tagged)]) { client, bench, clock in
            let file = try await clock.run { try await bench.load(request, client, Self.patient) }
            #expect(file.bytes == 100_000)
            #expect(bench.waits == [.seconds(7), .seconds(7)])
            #expect(clock.now == .seconds(14))
        }
    }

    @Test func threeAttemptsAreMade() async throws {
        try await run([Stub(.get, "/file", .status(.badGateway))]) { client, bench, clock in
            let error = await #expect(throws: DownloadError.self) {
                try await clock.run { try await bench.load(request, client, Self.patient) }
            }
            #expect(error?.code == .retriesExhausted)
            #expect(error?.status == 502)
            let waits = bench.waits
            try #require(waits.count == 2)
            #expect(waits[0] <= .seconds(1))
            #expect(waits[1] <= .seconds(2))
        }
    }

    @Test func attemptsCountAnewOnceBytesHaveCome() async throws {
        // Each response contains a tenth of the file.
        let stub = Stub(.get, "/file") { request in
            StubResponse.tagged.part(for: request).dropping(.afterBodyBytes(10_000))
        }
        try await run([stub]) { client, bench, clock in
            let file = try await clock.run { try await bench.load(request, client, Self.patient) }
            #expect(try bench.bytes(file) == MisbehavingServer.file)
            #expect(bench.waits.count >= 9)
        }
    }

    @Test func theNextAttemptComesOnceTheNetworkIsBack() async throws {
        let stubs = [Stub(.get, "/file", .dropped()).times(1), Stub(.get, "/file", .tagged)]
        try await run(stubs) { client, bench, clock in
            let network = NetworkStatusFeed(NetworkStatus(.unreachable))
            let job = try bench.job(request)
            let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let task = Task {
                try await bench.run(job, client) {
                    Self.patient(&$0)
                    $0.network = network
                } onReport: { report in
                    if case .attempt = report { signal.yield() }
                }
            }
            for await _ in signals { break }
            network.update(NetworkStatus(.reachable, interfaces: [.wired]))
            #expect(try await task.value.bytes == 100_000)
            // No time has passed: only the change has ended the delay.
            #expect(clock.now == .zero)
        }
    }

    @Test func aTransferThatStandsStillAfterAChangeOfTheNetworkIsAskedForAgain() async throws {
        let held = StubResponse.tagged.dropping(.afterBodyBytes(40_000), form: .stall)
        let stubs = [Stub(.get, "/file", held).times(1), Stub(.get, "/file", .tagged).servingRanges()]
        try await run(stubs) { client, bench, clock in
            let network = NetworkStatusFeed(NetworkStatus(.reachable, interfaces: [.wifi]))
            let job = try bench.job(request)
            let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let task = Task {
                try await bench.run(job, client) {
                    Self.patient(&$0)
                    $0.network = network
                } onReport: { report in
                    if case .bytes(40_000) = report { signal.yield() }
                }
            }
            for await _ in signals { break }
            // The first status that is seen isn't a change, so a late observer needs another one.
            var interface = NetworkStatus.Interface.wifi
            repeat {
                interface = interface == .wifi ? .cellular : .wifi
                network.update(NetworkStatus(.reachable, interfaces: [interface]))
                try await Task.sleep(for: .milliseconds(1))
            } while clock.sleepers < 2
            await clock.advance(by: NetworkChanges.patience)
            let file = try await task.value
            #expect(try bench.bytes(file) == MisbehavingServer.file)
            #expect(clock.now == NetworkChanges.patience)
            #expect(bench.waits == [])
        }
    }
}
#endif

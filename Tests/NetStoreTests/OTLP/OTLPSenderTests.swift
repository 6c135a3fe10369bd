import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import NetStore

/// An exporter's behavior when a collector fails.
@Suite(.timeLimit(.minutes(5)))
struct OTLPSenderTests {
    private static let secret = "s3cret-t0ken-of-mine"
    private let folder: TemporaryFolder
    private let collector = Collector()
    private let clock = TestClock()

    init() throws { folder = try TemporaryFolder() }

    private func store(_ count: Int) async throws -> ActivityStore {
        let store = try ActivityStore(at: folder.file())
        for number in 0..<count { try await store.write(Events.call(number)) }
        return store
    }

    private func exporter(
        _ store: ActivityStore, batch: Int = 512, _ answer: @escaping Collector.Answer
    ) throws -> OTLPExporter {
        let configuration = OTLPExporter.Configuration.test {
            $0.clock = clock.netClock
            $0.random = NetRandom { .max }
            $0.headers[.authorization] = "Bearer \(Self.secret)"
            $0.maximumBatch = batch
        }
        return try OTLPExporter(store: store, client: collector.client(answer), configuration: configuration)
    }

    private var cursor: String {
        get throws { try Command.sqlite(folder.file(), "SELECT position, sent, rejected FROM net_cursor") }
    }

    @Test func `Busy collectors are asked again with growing pauses, and after Retry-After`() async throws {
        let store = try await store(1)
        let answers: [StubResponse] = [
            .status(.serviceUnavailable), .status(.badGateway), .status(.gatewayTimeout),
            StubResponse.status(.tooManyRequests).header(.retryAfter, "77"),
            StubResponse.status(.serviceUnavailable).header(.retryAfter, "999999"), Collector.accepted,
        ]
        let exporter = try exporter(store) { number, _ in answers[number - 1] }
        let statistics = try await clock.run { try await exporter.export() }
        #expect(statistics.requests == 6)
        #expect(statistics.retries == 5)
        #expect(statistics.sent == 2)
        // 1 + 2 + 4 + 77 + 600 seconds, minus a little for jitter, which is just below the maximum.
        #expect(clock.now > .seconds(683.9))
        #expect(clock.now <= .seconds(684))
        #expect(Set(collector.requests.map(\.body)).count == 1, "the same spans each time")
        #expect(statistics.lastError == "the collector responded with 503")
        try await store.close()
    }

    @Test func `A lost connection is tried again`() async throws {
        let store = try await store(1)
        let exporter = try exporter(store) { number, _ in number < 4 ? .dropped() : Collector.accepted }
        let statistics = try await clock.run { try await exporter.export() }
        #expect(statistics.requests == 4)
        #expect(statistics.sent == 2)
        #expect(statistics.lastError?.contains("no response from http://collector.test:4318/v1/traces") == true)
        try await store.close()
    }

    @Test(arguments: [401, 403, 404, 405, 307])
    func `A refusal ends the export, and nothing is lost`(status: Int) async throws {
        let store = try await store(2)
        let refusal = StubResponse.json(
            text: #"{"message":"unknown token Bearer \#(Self.secret), \#(Self.secret)"}"#, status: .init(code: status))
        let refused = try exporter(store) { _, _ in refusal }
        let error = await #expect(throws: OTLPError.self) { try await refused.export() }
        #expect(error?.code == .refused)
        #expect(error?.status == status)
        #expect(error?.description.contains("responded with \(status): unknown token") == true)
        for text in ["\(error as Any)", "\(refused.configuration)", String(reflecting: refused.configuration)] {
            #expect(!text.contains(Self.secret), "\(text)")
        }
        var dumped = ""
        dump(refused.configuration, to: &dumped)
        #expect(!dumped.contains(Self.secret))
        #expect(try cursor == "0|0|0")
        #expect(try await exporter(store) { _, _ in Collector.accepted }.export().sent == 4)
        try await store.close()
    }

    @Test func `A collector that fails without saying for how long is asked a few times, and loses nothing`()
        async throws
    {
        let store = try await store(3)
        let failing = StubResponse.status(.internalServerError)
        let failed = try exporter(store) { _, _ in failing }
        let error = await #expect(throws: OTLPError.self) { try await clock.run { try await failed.export() } }
        #expect(error?.code == .refused)
        #expect(error?.status == 500)
        #expect(failed.statistics.requests == 10)
        #expect(failed.statistics.rejected == 0)
        let patient = try exporter(store) { number, _ in number <= 19 ? failing : Collector.accepted }
        #expect(try await clock.run { try await patient.export() }.sent == 6)
        try await store.close()
    }

    @Test(arguments: [400, 422])
    func `A batch that is rejected counts, and the next one is sent`(status: Int) async throws {
        let store = try await store(3)
        let rejection = StubResponse.json(text: #"{"message":"bad \#(Self.secret)"}"#, status: .init(code: status))
        let exporter = try exporter(store, batch: 2) { number, _ in number == 2 ? rejection : Collector.accepted }
        let statistics = try await exporter.export()
        #expect(statistics.sent == 4)
        #expect(statistics.rejected == 2)
        #expect(statistics.requests == 3)
        #expect(statistics.lastError == "the collector rejected a batch of 2 with \(status): bad …")
        #expect(try cursor == "3|4|2")
        try await store.close()
    }

    @Test func `A partial success counts what was rejected, and isn't sent again`() async throws {
        let store = try await store(3)
        let partial = StubResponse.json(
            text: #"{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too\u001b old"}}"#)
        let statistics = try await exporter(store) { _, _ in partial }.export()
        #expect(statistics.sent == 4)
        #expect(statistics.rejected == 2)
        #expect(statistics.requests == 1)
        #expect(statistics.lastError == "the collector rejected 2 of a batch: too· old")
        #expect(try cursor == "3|4|2")
        try await store.close()
    }

    @Test func `A batch that is too large is halved, an entry that is too large is rejected`() async throws {
        let store = try await store(7)
        let exporter = try exporter(store) { _, request in
            request.items.contains(5) || request.items.count > 2 ? .status(.contentTooLarge) : Collector.accepted
        }
        let statistics = try await exporter.export()
        #expect(statistics.sent == 12)
        #expect(statistics.rejected == 2)
        let accepted = collector.requests.filter { !$0.items.contains(5) && $0.items.count <= 2 }.flatMap(\.items)
        #expect(accepted == [1, 2, 3, 4, 6, 7])
        try await store.close()
    }

    @Test(arguments: ["<html>log in</html>", "[]", #"{"partialSuccess":"#, String(repeating: "[", count: 100_000)])
    func `A page that isn't OTLP ends the export after ten of them`(body: String) async throws {
        let store = try await store(1)
        let exporter = try exporter(store) { _, _ in .text(body) }
        let error = await #expect(throws: OTLPError.self) {
            _ = try await clock.run { try await exporter.export() }
        }
        #expect(error?.code == .notOTLP)
        #expect(collector.requests.count == 10)
        #expect(try cursor == "0|0|0")
        try await store.close()
    }

    @Test func `A response without end isn't read`() async throws {
        let store = try await store(1)
        let long = StubResponse.text(String(repeating: "x", count: 300_000))
        let exporter = try exporter(store) { number, _ in number < 3 ? long : Collector.accepted }
        #expect(try await clock.run { try await exporter.export() }.sent == 2)
        #expect(exporter.statistics.requests == 3)
        try await store.close()
    }

    @Test func `Cancellation ends a pause`() async throws {
        let store = try await store(1)
        let exporter = try exporter(store) { _, _ in .status(.serviceUnavailable) }
        let task = Task { try await exporter.export() }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        let error = await #expect(throws: OTLPError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(try cursor == "0|0|0")
        try await store.close()
    }

    @Test func `A client that can't send ends the export`() async throws {
        let store = try await store(1)
        let client = collector.client()
        await client.shutdown()
        let exporter = try OTLPExporter(store: store, client: client, configuration: .test())
        let error = await #expect(throws: OTLPError.self) { try await exporter.export() }
        #expect(error?.code == .client)
        try await store.close()
    }

    @Test(arguments: [
        "", "collector:4318", "ftp://a.test", "http://", "http://user:s3cret@a.test", "http://a.test/?api-key=s3cret",
    ])
    func `An endpoint that can't be used is refused without repeating it`(endpoint: String) async throws {
        let store = try await store(0)
        let configuration = OTLPExporter.Configuration(endpoint: endpoint)
        let error = #expect(throws: OTLPError.self) {
            try OTLPExporter(store: store, client: collector.client(), configuration: configuration)
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(!"\(error as Any) \(configuration)".contains("s3cret"))
        try await store.close()
    }

    @Test func `Over a real connection`() async throws {
        let store = try await store(40)
        let server = try await TestServer.start(
            collector.stubs { number, _ in
                switch number {
                case 2: .dropped()
                case 4: Collector.accepted.dropping(.afterHead)
                case 5: .status(.serviceUnavailable)
                default: Collector.accepted
                }
            })
        var settings = HTTPClient.Configuration()
        settings.timeouts = Timeouts(connect: nil, firstByte: nil, stall: nil)
        let client = HTTPClient(configuration: settings)
        var configuration = OTLPExporter.Configuration(endpoint: "\(server.baseURL)/")
        configuration.maximumBatch = 16
        configuration.backoff = .constant(.zero)
        configuration.timeout = .seconds(300)
        let exporter = try OTLPExporter(store: store, client: client, configuration: configuration)
        let statistics = try await exporter.export()
        #expect(statistics.sent == 80)
        #expect(statistics.retries == 3)
        #expect(Set(collector.items) == Set(1...40))
        await client.shutdown()
        await server.stop()
        try await store.close()
    }
}

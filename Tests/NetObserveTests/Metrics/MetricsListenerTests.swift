#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Collects values.
final class MetricsLog: MetricsSink {
    struct Entry: Sendable {
        let name: String
        let value: Double
        let labels: [String: String]
    }

    private let all = Locked<[Entry]>([])

    func entries(_ metric: Metric) -> [Entry] { all.value.filter { $0.name == metric.name } }
    var everything: [Entry] { all.value }

    func add(_ amount: Int64, to metric: Metric, _ labels: [MetricLabel]) { log(Double(amount), metric, labels) }
    func record(_ value: Double, in metric: Metric, _ labels: [MetricLabel]) { log(value, metric, labels) }

    private func log(_ value: Double, _ metric: Metric, _ labels: [MetricLabel]) {
        let labels = Dictionary(labels.map { ($0.name, $0.value) }) { $1 }
        all.change { $0.append(Entry(name: metric.name, value: value, labels: labels)) }
    }
}

@Suite(.timeLimit(.minutes(2))) struct MetricsListenerTests {
    private let stubs = [
        Stub(.post, "/ok", .text("hello")), Stub(.get, "/missing", .text("no", status: .notFound)), .pattern(),
        Stub(.get, "/flaky", .status(.serviceUnavailable)).times(1), Stub(.get, "/flaky", .text("fine")),
    ]

    private func metrics(
        over wire: Wire = .plain, labelsServer: Bool = true, _ body: (Fixture, MetricsLog) async throws -> Void
    ) async throws -> MetricsLog {
        let log = MetricsLog()
        let setup = Fixture.Setup.client {
            $0.listeners = [MetricsListener(log, labelsServer: labelsServer)]
            $0.middleware = [RetryMiddleware(RetryPolicy(backoff: .constant(.milliseconds(1))))]
        }
        try await Fixture.run(stubs, over: wire, with: setup) { try await body($0, log) }
        return log
    }

    @Test(arguments: Wire.allCases) func aRequestHasItsDurationAndSizes(wire: Wire) async throws {
        var base: [String: String] = [:]
        let log = try await metrics(over: wire) { fixture, _ in
            base = [
                "http.request.method": "POST", "url.scheme": wire == .plain ? "http" : "https",
                "server.address": ServerAddressOf(fixture).host, "server.port": ServerAddressOf(fixture).port,
            ]
            let request = Request<String>("ok", method: .post, body: .text("abc"), serializer: .string)
            try await fixture.client.send(request)
            try await fixture.client.send(request)
        }
        let result = [
            "http.response.status_code": "200", "network.protocol.version": wire.version,
        ]
        let durations = log.entries(.requestDuration)
        #expect(durations.count == 2)
        #expect(durations.allSatisfy { $0.labels == base.merging(result) { $1 } && $0.value > 0 && $0.value < 60 })
        #expect(log.entries(.requestBodySize).map(\.value) == [3, 3])
        #expect(log.entries(.responseBodySize).map(\.value) == [5, 5])
        #expect(log.entries(.timeToFirstByte).count == 2)
        #expect(log.entries(.resends).isEmpty)
        #expect(
            log.entries(.connections).map { $0.labels["swift_net.connection.reused"] } == ["false", "true"])
        #expect(log.entries(.activeRequests).map(\.value) == [1, -1, 1, -1])
        #expect(log.entries(.activeRequests).allSatisfy { $0.labels == base })
        #expect(log.entries(.callDuration).count == 2)
    }

    @Test func eachAttemptCountsAndARetryIsAResend() async throws {
        let log = try await metrics { fixture, _ in
            try await fixture.client.send(Request<String>("flaky", serializer: .string))
        }
        let durations = log.entries(.requestDuration)
        #expect(durations.map { $0.labels["http.response.status_code"] } == ["503", "200"])
        #expect(durations.map { $0.labels["error.type"] } == ["503", nil])
        #expect(log.entries(.resends).map(\.value) == [1])
        #expect(log.entries(.callDuration).count == 1)
    }

    @Test func metricsOfFailedCallsHaveAnErrorType() async throws {
        let log = try await metrics { fixture, _ in
            _ = try? await fixture.client.send(Request<String>("missing", serializer: .string))
            _ = try? await fixture.client.send(Request<[Int]>("ok", method: .post))
            do { _ = try await fixture.client.stream(Request<Bytes>("bytes", serializer: .bytes)) }
            let closed = try ClosedPort()
            var refused = Request<Bytes>(url: "http://127.0.0.1:\(closed.port)/", serializer: .bytes)
            refused.method = .patch
            _ = try? await fixture.client.send(refused)
        }
        #expect(
            log.entries(.callDuration).map { $0.labels["error.type"] } == ["404", "decoding", "cancelled", "connect"])
        #expect(log.entries(.requestDuration).map { $0.labels["error.type"] } == ["404", nil, nil, "connect"])
        #expect(log.entries(.activeRequests).map(\.value).reduce(0, +) == 0)
    }

    @Test func aStreamIsActiveUntilItsBodyEnds() async throws {
        _ = try await metrics { fixture, log in
            let body = try await fixture.client.stream(Request<Bytes>("bytes", serializer: .bytes)).body
            #expect(log.entries(.activeRequests).map(\.value) == [1])
            #expect(log.entries(.requestDuration).isEmpty)
            for try await _ in body {}
            #expect(log.entries(.activeRequests).map(\.value) == [1, -1])
            #expect(log.entries(.requestDuration).count == 1)
        }
    }

    @Test func labelsAreFew() async throws {
        let log = try await metrics(labelsServer: false) { fixture, _ in
            for number in 0..<5 {
                let method = try #require(HTTPRequest.Method("X\(number)"))
                var request = Request<Bytes>(
                    "bytes/\(number)", query: [QueryItem("id", "\(number)")], serializer: .bytes)
                request.method = method
                _ = try? await fixture.client.send(request)
            }
        }
        #expect(Set(log.entries(.activeRequests).map(\.labels)).count == 1)
        #expect(log.entries(.activeRequests).first?.labels == ["http.request.method": "_OTHER", "url.scheme": "http"])
    }
}

/// The host and port of a fixture's server.
private struct ServerAddressOf {
    let host, port: String

    init(_ fixture: Fixture) {
        let authority = fixture.server.baseURL.description.split(separator: "/").last ?? ""
        let parts = authority.split(separator: ":")
        host = parts.first.map(String.init) ?? ""
        port = parts.last.map(String.init) ?? ""
    }
}
#endif

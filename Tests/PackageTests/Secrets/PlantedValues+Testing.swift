import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetSocket
import NetTestTraits
import NetTesting
import Synchronization

/// Test doubles, before and after their use, and WebSockets.
extension PlantedValues {
    static let stub = Stub(.post, "/login", response).query("token", "PLANTED").header(.authorization, "Bearer PLANTED")
        .body(.text("password=PLANTED"))
    static let response = StubResponse(
        headers: headers, body: .text(json), trailers: headers)
    static let stubRequest = StubRequest(
        method: .post, target: "/login?token=PLANTED", authority: "ann:PLANTED@api.test", headers: headers,
        body: Bytes(json.utf8), parameters: ["token": "PLANTED"])

    mutating func plantTestDoubles() throws {
        var expectation = Contract.Expectation("login", Self.prepared, .json(["password": "PLANTED"]))
        expectation.query["token"] = "PLANTED"
        expectation.headers[.authorization] = "Bearer PLANTED"
        expectation.example["token"] = "PLANTED"
        let response = Contract.Response(headers: Self.headers, body: Bytes(Self.json.utf8))
        plant(
            Self.stub, Self.response, Self.response.body, Self.stubRequest,
            StubChunk(Self.json), StubEvent(Self.json), Contract("api", expectations: [expectation]), expectation,
            response, Contract.Outcome.response(response), expectation.body)
        plant(
            WebSocketStub("/chat", .text(Self.json)), WebSocketStep.text(Self.json), WebSocketStep.expect(Self.json))
        var curl = CurlTransport.Configuration()
        curl.proxy = .server(Self.proxy())
        plant(StubRoute("POST /login?token=PLANTED"), RecordingTransport(CurlTransport(configuration: curl)))
        plant(CassetteTransport(over: Secretive(secret: "PLANTED")))
    }

    /// Sends a request with secrets over test doubles, and plants the doubles and the values they keep.
    mutating func plantUsedDoubles() async throws {
        let mock = MockTransport([Self.stub.query("token", .present), Stub(.post, "/other", .status(.ok))])
        let strict = Contract(
            "api", isStrict: true,
            expectations: [Contract.Expectation("other", .get, "/other", .json(["token": "PLANTED"]))])
        let contract = ContractTransport(strict, over: Secretive(secret: "PLANTED"))
        let recording = RecordingTransport(Secretive(secret: "PLANTED"))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        let replay = try ReplayTransport(
            cassette: folder + "/none.json", mode: .newEpisodes, over: Secretive(secret: "PLANTED"))
        let middleware = StubMiddleware([Self.stub])
        for transport in [mock, recording, contract, replay, MockTransport([Self.stub])] as [any HTTPTransport] {
            try await plantCalls(over: transport, [])
        }
        try await plantCalls(over: mock, [middleware])
        plant(
            mock, recording, contract, contract.report, replay, middleware, mock.journal,
            Contract.ValueRule.exact("PLANTED"),
            Contract.PartRule("password", body: .text("PLANTED")))
        plantEach(mock.recordedRequests)
        plantEach(mock.stubUses)
        plantEach(contract.report.violations)
        plantEach(contract.report.matches)
        plantEach(contract.report.violations.flatMap(\.differences))
        await plantThrown { try mock.expectReceived(.get, "/login") }
        await plantThrown { try mock.verify() }
        await plantThrown { try contract.verifyComplete() }
        let echo = MockTransport([.echo("/{path*}")])
        let bytes = try await echo.execute(Self.prepared, context: Self.context()).body.collect(upTo: 1 << 20)
        let echoed = try JSONCoding.standard.decode(EchoedRequest.self, from: bytes)
        plant(echoed, try required(echoed.headers.first { $0.name.lowercased() == "authorization" }))
        let client = MockClient()
        client.on(Request<[String: String]>.self, return: ["token": "PLANTED"])
        _ = try await client.response(Self.request())
        plant(client)
    }

    /// Sends requests with secrets, and plants their errors and traces.
    private mutating func plantCalls(over transport: any HTTPTransport, _ middleware: [any Middleware]) async throws {
        let traces = Traces()
        let client = HTTPClient(baseURL: "https://api.test", transport: transport) {
            $0.middleware = middleware
            $0.listeners = [TraceListener { traces.add($0) }]
        }
        await plantThrown { try await client.send(Self.request()) }
        let login = Request<Int>("/login", method: .post, query: [QueryItem("token", "PLANTED")], headers: Self.headers)
        await plantThrown { try await client.send(login) }
        for trace in traces.all {
            plant(trace)
            plantEach(trace.attempts)
            plantEach(trace.attempts.compactMap(\.retry))
        }
    }

    private final class Traces: Sendable {
        private let traces = Mutex<[CallTrace]>([])
        var all: [CallTrace] { traces.withLock { $0 } }
        func add(_ trace: CallTrace) { traces.withLock { $0.append(trace) } }
    }

    /// Plants the error that `body` throws, with its causes.
    mutating func plantThrown(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            var cause: (any Error)? = error
            while let error = cause {
                plant(error)
                if let miss = error as? StubMiss { plantEach(miss.nearest) }
                cause = (error as? any NetFailure)?.failure?.underlying
            }
        }
    }
}

/// An error of this package that may have a cause.
private protocol NetFailure {
    var failure: NetError? { get }
}

extension NetError: NetFailure {
    fileprivate var failure: NetError? { self }
}

extension APIError: NetFailure {
    fileprivate var failure: NetError? { netError }
}

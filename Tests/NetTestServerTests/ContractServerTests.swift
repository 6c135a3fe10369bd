#if Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

/// A contract recorded from one server, satisfied and violated by another.
@Suite(.timeLimit(.minutes(1)))
struct ContractServerTests {
    private struct Order: Codable, Sendable, Equatable {
        var id: Int
        var state: String
    }

    private static let provider = [
        Stub(.post, "/orders/{id}", .json(Order(id: 7, state: "open"), status: .created).header(.eTag, "\"1\""))
    ]

    /// The only call in the contract, to be modified.
    private struct Call: Sendable {
        var method = HTTPRequest.Method.post
        var path = Path("orders/7")
        var page = "2"
        var client = "shop"
        var customer = "Ada"

        var request: Request<Order> {
            Request(
                path, method: method, query: [QueryItem("page", page)],
                headers: [.init("X-Client") ?? .accept: client, .authorization: "Bearer PLANTED"],
                body: .json(["customer": ["name": customer], "password": ["PLANTED": customer]]))
        }
    }

    private static let drifts: [(String, @Sendable (inout Call) -> Void)] = [
        ("method", { $0.method = .put }), ("path", { $0.path = "orders/8" }), ("query.page", { $0.page = "3" }),
        ("header.X-Client", { $0.client = "phone" }), ("body.$.customer.name", { $0.customer = "Bob" }),
    ]

    private func client(_ base: BaseURL, _ transport: (any HTTPTransport)? = nil) throws -> HTTPClient {
        return transport.map { HTTPClient(baseURL: base, transport: $0) }
            ?? HTTPClient(baseURL: base)
    }

    private func recorded() async throws -> Contract {
        let server = try await TestServer.start(Self.provider)
        let recording = RecordingTransport(CurlTransport())
        let client = try client(server.baseURL, recording)
        let order = try await client.send(Call().request)
        #expect(order == Order(id: 7, state: "open"))
        await client.shutdown()
        await server.stop()
        return try Contract("orders", recordedBy: recording)
    }

    @Test func oneContractHoldsOnAllLevels() async throws {
        let contract = try await recorded()
        let server = try await TestServer.start(contract: contract)
        let real = try client(server.server.baseURL)
        let transport = ContractTransport(contract)
        let contracted = try client("http://api.test", transport)
        let mocked = try client("http://api.test", MockTransport(contract: contract))
        for client in [real, contracted, mocked] {
            let order = try await client.send(Call().request)
            #expect(order == Order(id: 7, state: "open"))
            await client.shutdown()
        }
        try server.verifyComplete()
        try transport.verifyComplete()
        await server.stop()
    }

    @Test func eachDriftIsNamedByTransportAndServer() async throws {
        let contract = try await recorded()
        let server = try await TestServer.start(contract: contract)
        let real = try client(server.server.baseURL)
        for (field, change) in Self.drifts {
            var call = Call()
            change(&call)
            let request = call.request
            let transport = ContractTransport(contract)
            let contracted = try client("http://api.test", transport)
            await #expect(throws: APIError<Never>.self) { try await contracted.send(request) }
            #expect(transport.report.violations.first?.differences.map(\.field) == [field])

            server.reset()
            let error = await failure(real, request)
            #expect(error?.status == 400)
            let text = error?.response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
            #expect(text.contains("\n  \(field): expected"), "\(text)")
            #expect(!text.contains("PLANTED"))
            #expect(!server.report.json.contains("PLANTED"))
            #expect(server.report.violations.map(\.kind) == [.mismatch, .unusedExpectation])
            #expect(server.report.violations.first?.differences.map(\.field) == [field])
        }
        #expect(await failure(real, Request<String>("elsewhere"))?.status == 404)
        await real.shutdown()
        await server.stop()
    }

    private func failure<Value>(_ client: HTTPClient, _ request: Request<Value>) async -> NetError? {
        do {
            try await client.send(request)
            return nil
        } catch {
            return error.netError
        }
    }

    @Test func theProviderIsCheckedFieldByField() async throws {
        let contract = try await recorded()
        let changes: [(String?, StubResponse)] = [
            (
                nil,
                .json(["id": JSONValue.integer(7), "state": "open", "new": true], status: .created).header(
                    .eTag, "\"1\"")
            ),
            ("response.status", .json(Order(id: 7, state: "open")).header(.eTag, "\"1\"")),
            ("response.header.ETag", .json(Order(id: 7, state: "open"), status: .created).header(.eTag, "\"2\"")),
            ("response.body.$.state", .json(Order(id: 7, state: "paid"), status: .created).header(.eTag, "\"1\"")),
        ]
        for (field, answer) in changes {
            let server = try await TestServer.start([Stub(.post, "/orders/{id}", answer)])
            let transport = ContractTransport(contract, over: CurlTransport())
            let client = try client(server.baseURL, transport)
            let error = await failure(client, Call().request)
            #expect((error?.underlying as? ContractViolation)?.differences.map(\.field) == field.map { [$0] })
            #expect(transport.report.passed == (field == nil))
            await client.shutdown()
            await server.stop()
        }
    }

    @Test func aCassetteIsServedAndFailuresAreFaults() async throws {
        let recording = RecordingTransport(
            MockTransport([
                Stub(.get, "/ok", .text("fine")), Stub(.get, "/lost", .dropped()),
                Stub(.get, "/odd", .text("")).faulting(.refused),
            ]))
        let recorder = try client("http://api.test", recording)
        for path in ["ok", "lost", "odd"] { _ = await failure(recorder, Request<String>("\(path)")) }
        try await withFile("") { path in
            try FileManager.default.removeItem(atPath: path)
            try recording.write(to: path)
            let server = try await TestServer.start(cassette: path)
            let client = try client(server.server.baseURL)
            let text = try await client.send(Request<String>("ok", serializer: .string))
            #expect(text == "fine")
            #expect(await failure(client, Request<String>("lost"))?.code == .connectionLost)
            // An open connection can't be refused.
            #expect(await failure(client, Request<String>("odd"))?.status == 502)
            #expect(server.report.expectations == ["exchange-1", "exchange-2", "exchange-3"])
            #expect(!server.report.name.contains("/"))
            #expect(path.hasSuffix(server.report.name))
            try server.verifyComplete()
            await client.shutdown()
            await server.stop()
        }
        await #expect(throws: NetError.self) { try await TestServer.start(cassette: "/nowhere.json") }
    }

    @Test func anotherClientReadsWhyItIsRefused() async throws {
        let contract = Contract("c", expectations: [.init("user", .get, "/users/{id}", .json(["id": 7]))])
        let server = try await TestServer.start(contract: contract, latency: .constant(.milliseconds(1)))
        let wrong = try await Tool.curl("-X", "POST", "\(server.server.baseURL)/users/7")
        #expect(wrong.text == "POST /users/7 is not as expectation user says\n  method: expected GET, actual POST\n")
        let right = try await Tool.curl("\(server.server.baseURL)/users/7")
        #expect(right.text == #"{"id":7}"#)
        await server.stop()
    }

    @Test func theReportIsXMLAndJSONThatOthersRead() async throws {
        let hostile = "<a & \"b\"> \u{1}\u{7f}]]>'\u{fffe}\n\t"
        let contract = Contract(
            hostile,
            expectations: [
                .init("kept", .get, "/kept", .json(1)), .init(hostile, .get, PathTemplate("/x\(hostile)"), .json(1)),
            ])
        let server = try await TestServer.start(contract: contract)
        for path in ["kept", "x%01%3C&"] { _ = try await Tool.curl("\(server.server.baseURL)/\(path)") }
        let program = """
            import json, sys, xml.etree.ElementTree as tree
            suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
            cases = suite.findall("testcase")
            report = json.load(open(sys.argv[2]))
            print(suite.get("tests"), suite.get("failures"), len(cases), len(suite.findall("testcase/failure")))
            print(cases[0].get("name"), [f.get("type") for f in suite.iter("failure")], cases[1].get("name") == sys.argv[3])
            print(report["passed"], [v["kind"] for v in report["violations"]], report["startedAt"][-1])
            """
        try await withFile("") { path in
            try server.report.write(to: path + ".xml")
            try server.report.write(to: path)
            defer { try? FileManager.default.removeItem(atPath: path + ".xml") }
            let shown = hostile.replacing("\u{1}", with: "\\u{1}").replacing("\u{7f}", with: "\\u{7f}")
                .replacing("\u{fffe}", with: "\\u{fffe}")
            let result = try await Tool.python(program, path + ".xml", path, shown)
            #expect(
                result.text == """
                    2 1 2 1
                    kept ['unexpectedRequest'] True
                    False ['unexpectedRequest', 'unusedExpectation'] Z

                    """, "\(result.errors)")
        }
        await server.stop()
    }
}
#endif

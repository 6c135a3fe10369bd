#if Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetOpenAPI
import NetTestServer
import NetTesting
import Testing

@testable import NetTestOpenAPI

@Suite(.timeLimit(.minutes(1)))
struct OpenAPIServerTests {
    /// Sends one request, and returns the response regardless of its status.
    private func send(
        _ api: OpenAPIServer, _ method: HTTPRequest.Method, _ path: Path, query: QueryItems = [],
        headers: HTTPFields = [:], body: RequestBody = .none
    ) async throws -> (head: ResponseHead, body: Bytes) {
        let client = HTTPClient(baseURL: api.baseURL)
        let request = Request(
            path, method: method, query: query, headers: headers, body: body,
            options: RequestOptions(validation: .any), serializer: .bytes)
        let response = try await client.response(request)
        await client.shutdown()
        return (response.head, response.value)
    }

    private static let shop: HTTPFields = ["X-Shop": "0F1E2D3C-4B5A-4978-8695-A4B3C2D1E0F1"]

    @Test func everyOperationIsAnsweredAsTheDocumentSays() async throws {
        let api = try await TestServer.start(openAPI: TestDocuments.shop())
        #expect(api.baseURL.description == api.server.baseURL.description + "/api/v2")
        let list = try await send(api, .get, "orders", query: [QueryItem("limit", "5")], headers: Self.shop)
        #expect(list.head.status == .ok)
        #expect(list.head["X-Total"] != nil)
        let orders = try JSONCoding.standard.decode(JSONValue.self, from: list.body)
        #expect(orders[0]?["lines"]?[0]?["sku"]?.stringValue != nil)
        let order: JSONValue = ["customer": "Ada", "lines": [["sku": "A-1"]]]
        let made = try await send(api, .post, "orders", body: .json(order))
        #expect(made.head.status == .created)
        #expect(
            try JSONCoding.standard.decode(JSONValue.self, from: made.body)
                == ["id": 7, "customer": "Ada", "lines": [["sku": "A-1", "count": 2]]])
        let removed = try await send(api, .delete, "orders/7")
        #expect(removed.head.status == .noContent)
        #expect(removed.body.isEmpty)
        let image = try await send(api, .get, "orders/latest")
        #expect(image.head[.contentType] == "image/png")
        let events = try await send(api, .get, "events")
        #expect(String(decoding: events.body, as: UTF8.self).hasPrefix("data: {"))
        try api.verify()
        #expect(api.report.unusedOperations == ["GET /orders/{id}"])
        #expect(api.report.sampleFindings == [])
        await api.stop()
    }

    @Test func theMediaTypeThatIsAskedForIsSent() async throws {
        let api = try await TestServer.start(openAPI: TestDocuments.shop())
        let text = try await send(api, .get, "orders/7", headers: [.accept: "application/json;q=0.5, text/plain"])
        #expect(text.head[.contentType] == "text/plain")
        #expect(text.body.count >= 3)
        let json = try await send(api, .get, "orders/7", headers: [.accept: "application/*"])
        #expect(json.head[.contentType] == "application/json")
        await api.stop()
    }

    @Test func brokenRequestsAreRefusedWithWhatIsWrong() async throws {
        let api = try await TestServer.start(openAPI: TestDocuments.shop())
        let limit = try await send(api, .get, "orders", query: [QueryItem("limit", "0")], headers: Self.shop)
        #expect(limit.head.status == .badRequest)
        let problem = try #require(try ProblemDetails(head: limit.head, body: limit.body))
        #expect(problem.detail == "query limit: 0 is less than 1")
        #expect(problem.extensions["findings"]?[0]?["kind"] == "parameter")
        let path = try await send(api, .get, "nothing")
        #expect(path.head.status == .notFound)
        let method = try await send(api, .put, "orders")
        #expect(method.head.status == .methodNotAllowed)
        #expect(method.head[.allow] == "GET, POST")
        let type = try await send(
            api, .post, "orders", headers: [.contentType: "text/csv"], body: .bytes(Data("a".utf8)))
        #expect(type.head.status == .unsupportedMediaType)
        let body = try await send(api, .post, "orders", body: .json(["customer": 7] as JSONValue))
        #expect(body.head.status == .badRequest)
        let report = api.report
        #expect(report.faultCount == 5)
        try #require(
            report.faults.map { $0.findings.first?.kind } == [.parameter, .path, .method, .requestType, .requestBody])
        #expect(report.faults[4].findings.map(\.message) == ["'lines' is missing", "7 is not of type string"])
        #expect(throws: OpenAPINotKept.self) { try api.verify() }
        api.reset()
        try api.verify()
        await api.stop()
    }

    @Test func faultsCanBeNotedAndLetThrough() async throws {
        let api = try await TestServer.start(openAPI: TestDocuments.shop(), refusesFaults: false)
        let answer = try await send(api, .get, "orders", query: [QueryItem("limit", "0")])
        #expect(answer.head.status == .ok)
        #expect(api.report.faults.map { $0.findings.map(\.part) } == [["query limit", "header X-Shop"]])
        await api.stop()
    }

    @Test func theSeedMakesTheAnswers() async throws {
        var bodies: [Bytes] = []
        for seed: UInt64 in [1, 1, 2] {
            let api = try await TestServer.start(openAPI: TestDocuments.shop(), seed: seed)
            bodies.append(try await send(api, .get, "orders/7", headers: [.accept: "application/json"]).body)
            await api.stop()
        }
        #expect(bodies[0] == bodies[1])
        #expect(bodies[0] != bodies[2])
    }

    @Test func aStubOfYourOwnGoesFirst() async throws {
        let api = try await TestServer.start(openAPI: TestDocuments.shop())
        api.server.add(Stub(.get, "/api/v2/orders/latest", .status(.serviceUnavailable)).priority(1))
        let answer = try await send(api, .get, "orders/latest")
        #expect(answer.head.status == .serviceUnavailable)
        #expect(api.report.requestCount == 0)
        await api.stop()
    }

    @Test func aDocumentWithAnErrorIsRefused() async throws {
        let document = try DocumentLoader().load(bytes: Array("{\"swagger\": \"2.0\"}".utf8), name: "old.json")
        await #expect(throws: Diagnostic.self) { _ = try await TestServer.start(openAPI: document) }
    }
}
#endif

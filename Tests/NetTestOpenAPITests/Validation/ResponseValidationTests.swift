#if Server
import HTTPTypes
import NetCore
import NetTesting
import Testing

@testable import NetTestOpenAPI

@Suite(.timeLimit(.minutes(1)))
struct ResponseValidationTests {
    private func findings(
        _ target: String, _ status: HTTPResponse.Status, _ headers: HTTPFields, _ body: String,
        method: HTTPRequest.Method = .get
    ) throws -> [String] {
        let validator = try OpenAPIValidator(TestDocuments.shop())
        let request = StubRequest(method: method, target: "/api/v2" + target)
        return validator.findings(in: status, headers: headers, body: Bytes(body.utf8), to: request).map {
            "\($0.kind.rawValue) \($0.part)\($0.instance)"
        }
    }

    private static let orders: HTTPFields = [.contentType: "application/json", "X-Total": "1"]
    private static let order = #"{"id": 1, "customer": "Ada", "lines": [{"sku": "A-1"}]}"#

    @Test func statusFieldsTypeAndBodyAreCompared() throws {
        #expect(try findings("/orders?limit=1", .ok, Self.orders, "[\(Self.order)]") == [])
        #expect(try findings("/orders?limit=1", .notFound, [:], "") == ["status status"])
        #expect(try findings("/orders?limit=1", .ok, Self.orders, "[]") == ["responseBody body"])
        #expect(
            try findings("/orders?limit=1", .ok, [.contentType: "application/json"], "[\(Self.order)]")
                == ["responseField header X-Total"])
        #expect(
            try findings("/orders?limit=1", .ok, [.contentType: "text/csv", "X-Total": "-1"], "a")
                == ["responseField header X-Total", "responseType body"])
    }

    @Test func aDefaultResponseStandsForEveryOtherStatus() throws {
        #expect(try findings("/orders", .badGateway, [:], "", method: .post) == [])
    }

    @Test func aMemberThatIsOnlySentNeedNotComeBack() throws {
        let body = #"{"customer": "Ada", "lines": [{"sku": "A-1"}]}"#
        #expect(
            try findings("/orders/1", .ok, [.contentType: "application/json"], body) == ["responseBody body"])
    }

    @Test func eventsAreComparedOneByOne() throws {
        let type: HTTPFields = [.contentType: "text/event-stream"]
        #expect(try findings("/events", .ok, type, "data: {\"sku\": \"A-1\"}\n\n") == [])
        #expect(
            try findings("/events", .ok, type, "data: {\"sku\": \"A-1\"}\n\ndata: {\"sku\": 1}\n\n")
                == ["responseBody body/sku"])
        #expect(try findings("/events", .ok, type, "data: {\n\n") == ["responseBody body"])
    }
}
#endif

#if Server
import HTTPTypes
import NetCore
import NetHTTP
import NetOpenAPI
import NetTestOpenAPI
import NetTesting
import Testing

@Suite struct ContractSchemaTests {
    private static let order: JSONValue = [
        "type": "object", "required": ["sku", "count"],
        "properties": [
            "sku": ["type": "string", "pattern": "^A-[0-9]+$"], "count": ["type": "integer", "minimum": 1],
            "lines": ["type": "array", "items": ["$ref": "#/$defs/Line"]],
            "password": ["type": "string", "maxLength": 3],
        ],
        "$defs": ["Line": ["type": "object", "required": ["id"], "properties": ["parent": ["$ref": "#/$defs/Line"]]]],
    ]

    /// Returns the contract's findings for a body; empty if it accepts it.
    private func drift(_ body: JSONValue, _ rule: Contract.BodyRule) async throws -> String {
        var expectation = Contract.Expectation("order", .post, "/orders", .json(["id": 1]))
        expectation.body = rule
        let contracted = ContractTransport(Contract("orders", expectations: [expectation]))
        let client = HTTPClient(baseURL: "http://h", transport: contracted)
        do {
            _ = try await client.raw(Request<Bytes>("/orders", method: .post, body: .json(body), serializer: .bytes))
            return ""
        } catch {
            return error.message
        }
    }

    @Test func aBodyThatTheSchemaAcceptsPasses() async throws {
        let rule = try Contract.BodyRule.schema(Self.order)
        #expect(try await drift(["sku": "A-1", "count": 2, "lines": [["id": 1, "parent": ["id": 2]]]], rule) == "")
        #expect(try await drift(7, .schema(true)) == "")
    }

    @Test func aDriftNamesThePlaceAndTheKeyword() async throws {
        let rule = try Contract.BodyRule.schema(Self.order)
        let message = try await drift(
            ["sku": "B", "count": 0, "lines": [["parent": [:]]], "password": "geheim"], rule)
        for text in ["/sku", "/count", "/lines/0", "/lines/0/parent", "#/properties/sku/pattern", "required"] {
            #expect(message.contains(text), "\(text) in \(message)")
        }
        #expect(!message.contains("geheim"))
        #expect(try await drift([], .schema(false)).contains("no value is allowed here"))
    }

    @Test func aSchemaOfADocumentIsFoundByItsName() async throws {
        let text =
            #"{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{},"components":{"schemas":{"Order":{"type":"object","required":["sku"]}}}}"#
        let document = try DocumentLoader().load(bytes: Array(text.utf8), name: "shop.json")
        let rule = try Contract.BodyRule.schema("Order", in: document)
        #expect(try await drift(["sku": 1], rule) == "")
        #expect(try await drift([:], rule).contains("#/components/schemas/Order"))
        #expect(throws: Diagnostic.self) { try Contract.BodyRule.schema("Pet", in: document) }
        #expect(throws: Diagnostic.self) { try Contract.BodyRule.schema(["$ref": "#/$defs/None"]) }
    }
}
#endif

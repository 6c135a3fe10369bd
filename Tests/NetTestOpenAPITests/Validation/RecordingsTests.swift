#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Testing

@testable import NetTestOpenAPI

@Suite(.timeLimit(.minutes(1)))
struct RecordingsTests {
    private var contract: Contract {
        var good = Contract.Expectation(
            "good", .post, "/api/v2/orders",
            .json(["id": 1, "customer": "Ada", "lines": [["sku": "A-1"]]], status: .created))
        good.body = .json(["customer": "Ada", "password": "<redacted>", "lines": [["sku": "A-1"]]])
        var badRequest = good
        badRequest.id = "bad-request"
        badRequest.body = .json(["customer": "", "lines": [["sku": "A-1"]]])
        var badResponse = good
        badResponse.id = "bad-response"
        badResponse.outcome = .json(["id": "x", "customer": "Ada", "lines": [["sku": "A-1"]]], status: .created)
        let unknown = Contract.Expectation("unknown", .get, "/api/v2/nothing", .response(.init()))
        return Contract("shop", expectations: [good, badRequest, badResponse, unknown])
    }

    private static let expected = [
        "bad-request": ["requestBody body/customer"], "bad-response": ["responseBody body/id"],
        "unknown": ["path path"],
    ]

    private func shown(_ found: [OpenAPIValidator.RecordedFindings]) -> [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: found.map { entry in
                (entry.id, entry.findings.map { "\($0.kind.rawValue) \($0.part)\($0.instance)" })
            })
    }

    @Test func aContractIsComparedExpectationByExpectation() throws {
        let validator = try OpenAPIValidator(TestDocuments.shop())
        #expect(shown(validator.findings(in: contract)) == Self.expected)
    }

    @Test func aCassetteIsComparedExchangeByExchange() throws {
        let validator = try OpenAPIValidator(TestDocuments.shop())
        let path = FileManager.default.temporaryDirectory.appending(path: "openapi-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try contract.writeCassette(to: path, baseURL: "https://example.com")
        let found = shown(try validator.findings(inCassette: path))
        #expect(
            found == ["2": ["requestBody body/customer"], "3": ["responseBody body/id"], "4": ["path path"]])
        #expect(throws: NetError.self) { try validator.findings(inCassette: path + ".none") }
    }
}
#endif

#if Server
import HTTPTypes
import NetCore
import NetOpenAPI
import NetTesting
import Testing

@testable import NetTestOpenAPI

/// Documents with words in the wrong places: they never cause a crash or a hang.
@Suite(.timeLimit(.minutes(2)))
struct MutatedDocumentTests {
    @Test func aDocumentWithMisplacedWordsIsReadOrRefused() throws {
        let words = TestDocuments.shopText.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let foreign = [
            "null", "-1", "[]", "{}", "1e400", "'(a+)+$'", "'#/components/schemas/Order'", "true", "$ref:", "allOf:",
        ]
        let requests = [
            StubRequest(method: .get, target: "/api/v2/orders?limit=5&state=open", headers: [.cookie: "session=1"]),
            StubRequest(
                method: .post, target: "/api/v2/orders", headers: [.contentType: "application/json"],
                body: Bytes(#"{"customer": "Ada", "lines": [{"sku": "A-1", "count": 2}]}"#.utf8)),
        ]
        var readable = 0
        for seed in 0..<400 {
            let random = SampleRandom(seed: UInt64(seed), name: "words")
            var mutated = words
            for _ in 0...random.below(3) {
                let place = random.below(mutated.count)
                guard !mutated[place].isEmpty else { continue }
                let other = random.below(2) == 0 ? random.element(of: foreign) : random.element(of: words)
                mutated[place] = other ?? ""
            }
            let bytes = Array(mutated.joined(separator: " ").utf8)
            guard let document = try? DocumentLoader().load(bytes: bytes, name: "mutated.yaml"),
                let description = try? APIDescription(document), let validator = try? OpenAPIValidator(document)
            else { continue }
            readable += 1
            for request in requests { _ = validator.findings(in: request) }
            for operation in description.operations {
                let sampler = ResponseSampler(description: description, operation: operation, seed: UInt64(seed))
                let response = sampler.response(accept: nil)
                _ = ResponseValidation(description: description, operation: operation).findings(
                    response.status.code, response.headers, response.body.whole ?? Bytes(), isHead: false)
            }
        }
        #expect(readable > 100)
    }
}
#endif

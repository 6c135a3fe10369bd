import HTTPTypes
import NetCore
import NetTesting
import Testing

@Suite struct ContractRegexTests {
    private func transport(_ change: (inout Contract.Expectation) -> Void) -> ContractTransport {
        var expectation = Contract.Expectation("order", .post, nil, .json(["id": 1]))
        change(&expectation)
        return ContractTransport(Contract("orders", expectations: [expectation]))
    }

    @Test func everyValueMustMatchSomewhere() async throws {
        for (pattern, query, fits) in [
            ("^[0-9]{4}$", "id=1234", true), ("^[0-9]{4}$", "id=12345", false), ("23", "id=1234", true),
            ("^\\p{Lu}", "id=%C3%84", true), ("^a", "id=ab&id=b", false), ("^a", "", false), ("(", "id=(", false),
        ] {
            let contracted = transport { $0.query["id"] = .regex(pattern) }
            var call = ContractCall()
            call.query = query
            let text = try? await call.text(contracted)
            #expect((text != nil) == fits, "\(pattern) \(query)")
        }
    }

    @Test func aDriftNamesTheExpression() async throws {
        let contracted = transport { $0.query["id"] = .regex("^[0-9]+$") }
        var call = ContractCall()
        call.query = "id=seven"
        let error = await #expect(throws: NetError.self) { try await call.text(contracted) }
        #expect(error?.message.contains("query.id: expected text that matches /^[0-9]+$/, actual \"seven\"") == true)
    }

    @Test func pathsOfJSONAndFieldsTakeThemToo() async throws {
        let contracted = transport {
            $0.body = .paths(["$.lines[*].sku": .regex("^A-[0-9]$")])
            $0.headers[.clientName] = .regex("^sh.p$")
        }
        _ = try await ContractCall().text(contracted)
        try contracted.verifyComplete()
    }

    /// Returns an example that the contract itself accepts.
    @Test(arguments: ["^[0-9]{4}$", "a|b", "x{3,}y?", "^$", "\\bword\\b", "[^a-z]"])
    func examplesFitTheirExpression(pattern: String) throws {
        var expectation = Contract.Expectation("x", .get, "/x", .json([:]))
        expectation.query["q"] = .regex(pattern)
        let contract = Contract("x", expectations: [expectation])
        let folder = try TemporaryFolder()
        try contract.writeCassette(to: folder.file("x.json"), baseURL: "http://h")
        let from = try Contract("x", cassette: folder.file("x.json"))
        guard case .exact(let value)? = from.expectations.first?.query["q"] else {
            Issue.record("no example for \(pattern)")
            return
        }
        #expect(!value.contains("redacted"))
    }

    /// No text makes matching slow.
    @Test func anExpressionThatOthersTakeForeverForIsAnsweredAtOnce() async throws {
        let contracted = transport { $0.query["id"] = .regex("^(a+)+$") }
        var call = ContractCall()
        call.query = "id=" + String(repeating: "a", count: 2000) + "!"
        await #expect(throws: NetError.self) { try await call.text(contracted) }
    }
}

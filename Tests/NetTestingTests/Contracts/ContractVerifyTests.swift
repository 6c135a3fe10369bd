import HTTPTypes
import NetCore
import NetTesting
import Testing

/// The provider's side: real responses are compared with the contract's.
@Suite(.timeLimit(.minutes(1)))
struct ContractVerifyTests {
    private func contract(_ change: (inout Contract.Response) -> Void = { _ in }) -> Contract {
        var response = Contract.Response(
            status: .created, headers: [.contentType: "application/json", .eTag: "\"1\""],
            body: Bytes(#"{"id":1,"token":"<redacted>","lines":[{"sku":"A"}]}"#.utf8))
        change(&response)
        var expectation = ContractCall.expectation
        expectation.outcome = .response(response)
        return Contract("provider", expectations: [expectation])
    }

    private func provider(_ change: (inout StubResponse) -> Void = { _ in }) -> MockTransport {
        var answer = StubResponse.json(
            text: #"{"lines":[{"sku":"A","new":1}],"id":1.0,"token":"real"}"#, status: .created)
        answer.headers[.eTag] = "\"1\""
        change(&answer)
        return .succeeding(with: answer)
    }

    private func drift(_ contract: Contract, _ provider: MockTransport) async -> [String]? {
        let transport = ContractTransport(contract, over: provider)
        let error = await ContractCall().failure(transport)
        #expect(transport.report.violations.map(\.kind) == (error == nil ? [] : [.responseDrift]))
        return (error?.underlying as? ContractViolation)?.differences.map(\.field)
    }

    @Test func aProviderThatKeepsTheContractIsHandedOn() async throws {
        let transport = ContractTransport(contract(), over: provider())
        #expect(try await ContractCall().text(transport).contains("real"))
        try transport.verifyComplete()
    }

    @Test func eachDriftOfTheProviderIsNamed() async {
        let changes: [(String, @Sendable (inout StubResponse) -> Void)] = [
            ("response.status", { $0.status = .ok }), ("response.header.ETag", { $0.headers[.eTag] = "\"2\"" }),
            ("response.header.ETag", { $0.headers[.eTag] = nil }),
            ("response.header.Content-Type", { $0.headers[.contentType] = "text/json" }),
            ("response.body.$.id", { $0.body = .text(#"{"id":2,"token":"x","lines":[{"sku":"A"}]}"#) }),
            ("response.body.$.token", { $0.body = .text(#"{"id":1,"lines":[{"sku":"A"}]}"#) }),
            ("response.body.$.lines[0].sku", { $0.body = .text(#"{"id":1,"token":"","lines":[{"sku":"B"}]}"#) }),
            ("response.body", { $0.body = .empty }),
        ]
        for (field, change) in changes {
            #expect(await drift(contract(), provider(change)) == [field])
        }
    }

    /// A query item `code` is a credential; a member `code` describes an error.
    @Test func aMemberIsComparedUnlessThePolicyHidesMembersOfItsName() async throws {
        let expected = contract { $0.body = Bytes(#"{"code":"sold-out"}"#.utf8) }
        let transport = ContractTransport(expected, over: provider { $0.body = .text(#"{"code":"closed"}"#) })
        let error = await ContractCall().failure(transport)
        #expect(
            (error?.underlying as? ContractViolation)?.differences.map(\.description) == [
                #"response.body.$.code: expected "sold-out", actual "closed""#
            ])
    }

    @Test func rulesTakeThePlaceOfEquality() async {
        let loose = contract {
            $0.headerRules = [.eTag: .glob("\"*\"")]
            $0.bodyRule = .paths(["$.id": .present])
        }
        #expect(await drift(loose, provider { $0.headers[.eTag] = "\"99\"" }) == nil)
        #expect(await drift(loose, provider { $0.headers[.eTag] = "W" }) == ["response.header.ETag"])
        #expect(await drift(loose, provider { $0.body = .text("{}") }) == ["response.body.$.id"])
    }

    @Test func theOutcomeItselfIsCompared() async throws {
        let failing = MockTransport.failing(with: NetError(.dns, phase: .resolving, message: "no such host"))
        #expect(await drift(contract(), failing) == ["outcome"])
        var expected = contract()
        expected.expectations[0].outcome = .failure(.init(.dns))
        let transport = ContractTransport(expected, over: failing)
        #expect(await ContractCall().failure(transport)?.code == .dns)
        try transport.verifyComplete()
        #expect(await drift(expected, provider()) == ["outcome"])
    }

    @Test func aRequestThatDriftsIsNeverSent() async {
        let mock = provider()
        let transport = ContractTransport(contract(), over: mock)
        #expect(await ContractCall(method: .put).failure(transport)?.code == .invalidRequest)
        #expect(mock.recordedRequests.isEmpty)
        await transport.shutdown()
    }
}

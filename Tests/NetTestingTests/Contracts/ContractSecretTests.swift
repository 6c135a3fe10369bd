import HTTPTypes
import NetCore
import NetTesting
import Testing

/// Planted secrets appear in no report and no message, whether they are in the contract or in the request.
@Suite(.timeLimit(.minutes(1)))
struct ContractSecretTests {
    private static let secretFields: [HTTPField.Name] = [.authorization, .cookie]

    private var contract: Contract {
        var expectation = Contract.Expectation("login", .post, "/login", .json(1))
        expectation.query = ["token": "PLANTED-rule", "next": "https://ada:PLANTED-rule@host/?api_key=PLANTED-rule"]
        for name in Self.secretFields { expectation.headers[name] = .contains("PLANTED-rule") }
        expectation.headers[.referer] = "https://host/?access_token=PLANTED-rule"
        expectation.body = .all([
            .json([
                "password": "PLANTED-rule", "deep": ["secret": ["inner": "PLANTED-rule"]], "auth_token": "PLANTED-rule",
            ]),
            .paths(["$.deep.secret.inner": "PLANTED-rule", "$.*.passphrase": "PLANTED-rule"]),
        ])
        return Contract("secrets", isStrict: true, expectations: [expectation])
    }

    private var json: ContractCall {
        ContractCall(
            path: "/login", query: "token=PLANTED-q&api_key=PLANTED-q",
            headers: [
                .authorization: "Bearer PLANTED-h", .cookie: "s=PLANTED-h", .proxyAuthorization: "PLANTED-h",
                .referer: "https://bob:PLANTED-h@host/?access_token=PLANTED-h",
            ],
            body: #"{"password":"PLANTED-b","deep":{"secret":{"inner":"PLANTED-b"},"passphrase":"PLANTED-b"},"#
                + #""auth_token":"PLANTED-b","client_secret":"PLANTED-b"}"#,
            authority: "ada:PLANTED-u@api.test")
    }

    private func check(_ contract: Contract, _ call: ContractCall, _ policy: RedactionPolicy = .safeDefault)
        async throws
    {
        let transport = ContractTransport(contract, redaction: policy)
        let error = try #require(await call.failure(transport))
        let report = transport.report
        let mock = policy == .safeDefault ? await call.failure(MockTransport(contract: contract)) : nil
        for text in [
            "\(error)", "\(error.underlying.map { "\($0)" } ?? "")", report.json, report.junit,
            notKept(transport), "\(mock?.message ?? "")",
        ] {
            #expect(!text.contains("PLANTED"), "\(text)")
        }
        #expect(report.json.contains("<redacted>") || policy.placeholder != "<redacted>")
    }

    private func notKept(_ transport: ContractTransport) -> String {
        do throws(ContractVerificationError) {
            try transport.verifyComplete()
            return "PLANTED: the contract was kept"
        } catch {
            return "\(error)"
        }
    }

    @Test func jsonHeadersQueryAndUserinfo() async throws {
        try await check(contract, json)
    }

    @Test func aURLInAQueryItemKeepsItsPasswordToItself() async throws {
        var call = json
        call.query = "next=https%3A%2F%2Fbob%3APLANTED-q%40host%2F%3Ftoken%3DPLANTED-q&page=1&token=PLANTED-q"
        let transport = ContractTransport(contract)
        _ = await call.failure(transport)
        #expect(!"\(transport.report)\(transport.report.json)\(notKept(transport))".contains("PLANTED"))
        let violation = try #require(transport.report.violations.first)
        #expect(
            violation.request == "POST /login?next=https://<redacted>@host/?token=<redacted>&page=1&token=<redacted>")
        let made = Contract("made", expectations: [.init("next", call.request, .json(1))])
        let folder = try TemporaryFolder()
        try made.write(to: folder.file("made.json"))
        let text = try folder.text("made.json")
        #expect(!text.contains("PLANTED"))
    }

    @Test func formsPartsAndPlainText() async throws {
        var expectation = Contract.Expectation("form", .post, "/login", .json(1))
        expectation.body = .form(["password": "PLANTED-rule"])
        var call = ContractCall(
            path: "/login", query: "", headers: [.contentType: "application/x-www-form-urlencoded"],
            body: "password=PLANTED-f&client_secret=PLANTED-f")
        try await check(Contract("c", isStrict: true, expectations: [expectation]), call)
        expectation.body = .multipart([.init("password", body: .text("PLANTED-rule"))])
        call.headers[.contentType] = "multipart/form-data; boundary=X"
        call.body = "--X\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nPLANTED-m\r\n--X--\r\n"
        try await check(Contract("c", expectations: [expectation]), call)
    }

    @Test func bytesAreNeverShownWhateverThePolicy() async throws {
        var expectation = Contract.Expectation("raw", .post, "/login", .json(1))
        var policy = RedactionPolicy.safeDefault
        policy.placeholder = "HIDDEN"
        for rule in [Contract.BodyRule.text("PLANTED-rule"), .bytes(Bytes("PLANTED-rule".utf8))] {
            expectation.body = rule
            let call = ContractCall(path: "/login", query: "", body: "PLANTED-text")
            try await check(Contract("c", expectations: [expectation]), call, policy)
        }
    }

    @Test func thePolicysOwnNamesAndPlaceholderAreUsed() async throws {
        var policy = RedactionPolicy(headerNames: ["x-client"], queryNames: ["pin"], placeholder: "HIDDEN")
        policy.bodyNames.insert("iban")
        var expectation = Contract.Expectation("own", .post, "/login", .json(1))
        expectation.headers[.clientName] = "PLANTED-rule"
        expectation.query["pin"] = "PLANTED-rule"
        expectation.body = .json(["iban": "PLANTED-rule"])
        let call = ContractCall(
            path: "/login", query: "pin=PLANTED-q", headers: [.clientName: "PLANTED-h"], body: #"{"iban":"PLANTED-b"}"#,
            redaction: policy)
        try await check(Contract("c", expectations: [expectation]), call, policy)
        let transport = ContractTransport(Contract("c", expectations: [expectation]), redaction: policy)
        _ = await call.failure(transport)
        #expect(
            transport.report.violations[0].differences.map(\.description) == [
                "query.pin: expected HIDDEN, actual HIDDEN", "header.X-Client: expected HIDDEN, actual HIDDEN",
                "body.$.iban: expected HIDDEN, actual HIDDEN",
            ])
    }

    @Test(arguments: ["$.iban.value", "$.*.value", "$['iban'].value", "$.list[*].iban[0]", "$.iban.none"])
    func aPathIntoWhatIsSecretShowsNothing(_ path: JSONPath) async throws {
        var policy = RedactionPolicy.safeDefault
        policy.bodyNames.insert("iban")
        var expectation = Contract.Expectation("deep", .post, "/login", .json(1))
        expectation.body = .paths([path: .contains("PLANTED-rule")])
        let call = ContractCall(
            path: "/login", query: "",
            body: #"{"iban":{"value":"PLANTED-b"},"list":[{"iban":["PLANTED-b"]}]}"#)
        let transport = ContractTransport(Contract("c", expectations: [expectation]), redaction: policy)
        #expect(await call.failure(transport) != nil)
        let shown = "\(transport.report.violations[0].differences)"
        #expect(!shown.contains("PLANTED-b"))
        #expect(!shown.contains("PLANTED-rule"))
    }

    @Test func aRealResponseIsHiddenToo() async throws {
        var answer = StubResponse.json(text: #"{"token":1,"id":"PLANTED"}"#)
        answer.headers[.setCookie] = "s=PLANTED-cookie"
        var expectation = ContractCall.expectation
        expectation.outcome = .response(
            .init(headers: [.setCookie: "s=PLANTED-rule"], body: Bytes(#"{"token":"x","secret":"PLANTED-rule"}"#.utf8)))
        let transport = ContractTransport(
            Contract("c", expectations: [expectation]), over: MockTransport.succeeding(with: answer))
        let error = try #require(await ContractCall().failure(transport))
        #expect(error.code == .protocolViolation)
        #expect(!"\(error)\(transport.report.json)\(transport.report.junit)".contains("PLANTED"))
    }

    @Test func aContractMadeOfARequestHoldsNoSecret() async throws {
        let folder = try TemporaryFolder()
        let contract = Contract("made", expectations: [.init("login", json.request, .json(1))])
        try contract.write(to: folder.file("c.json"))
        try contract.writeCassette(to: folder.file("tape.json"), baseURL: "https://api.test")
        for name in ["c.json", "tape.json"] {
            let text = try folder.text(name)
            #expect(!text.contains("PLANTED"))
        }
        // Any secret is accepted, but there must be one.
        var call = json
        call.headers[.authorization] = "Bearer other"
        #expect(await call.drift(contract) == [])
        call.headers[.authorization] = nil
        #expect(await call.drift(contract) == ["header.Authorization"])
    }
}

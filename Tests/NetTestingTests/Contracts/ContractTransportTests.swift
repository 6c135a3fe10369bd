import HTTPTypes
import NetCore
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContractTransportTests {
    private let contract = Contract("shop", expectations: [ContractCall.expectation])

    /// A change to a call, and the only field that must be reported for it.
    struct Drift: Sendable, CustomTestStringConvertible {
        let field: String
        let change: @Sendable (inout ContractCall) -> Void
        var testDescription: String { field }

        init(_ field: String, _ change: @escaping @Sendable (inout ContractCall) -> Void) {
            self.field = field
            self.change = change
        }
    }

    static let drifts = [
        Drift("method") { $0.method = .put }, Drift("path") { $0.path = "/order/7" },
        Drift("path") { $0.path = "/orders/7%2F8/9" }, Drift("query.page") { $0.query = "page=3&tag=a&tag=b" },
        Drift("query.page") { $0.query = "page=2&page=3&tag=a&tag=b" },
        Drift("query.tag") { $0.query = "page=2&tag=a" },
        Drift("header.X-Client") { $0.headers[.clientName] = "phone" },
        Drift("header.X-Client") { $0.headers.append(HTTPField(name: .clientName, value: "phone")) },
        Drift("header.X-Client") { $0.headers[.clientName] = nil },
        Drift("body.$.customer.name") { $0.body = $0.body?.replacing("Ada", with: "Bob") },
        Drift("body.$.customer.id") { $0.body = $0.body?.replacing("\"id\":7,", with: "") },
        Drift("body.$.lines[*].sku") { $0.body = $0.body?.replacing("A-2", with: "B-2") },
        Drift("body.$.lines") { $0.body = $0.body?.replacing(#"{"sku":"A-1"},"#, with: "") },
        Drift("metadata.name") { $0.metadata.name = nil }, Drift("metadata.tags") { $0.metadata.tags = ["orders"] },
    ]

    @Test(arguments: drifts)
    func theFieldThatDriftedIsNamed(_ drift: Drift) async throws {
        var call = ContractCall()
        drift.change(&call)
        #expect(await call.drift(contract) == [drift.field])
        #expect(await ContractCall().drift(contract) == [])
    }

    @Test func aBodyIsComparedByValueNotByteForByte() async {
        var call = ContractCall()
        call.body = #"{ "lines": [{"sku":"A-1"}, {"sku":"A-2"}], "customer": {"name":"\u0041da", "id":7.0}, "new": 1 }"#
        #expect(await call.drift(contract) == [])
        call.body = "no JSON"
        #expect(await call.drift(contract) == ["body", "body"])
    }

    @Test func anEncodedSlashIsNoSeparator() async {
        let exact = Contract("files", expectations: [.init("file", .post, "/files/a/b", .json(1))])
        var call = ContractCall(path: "/files/a%2Fb")
        #expect(await call.drift(exact) == ["path"])
        call.path = "/files/%61/b"
        #expect(await call.drift(exact) == [])
    }

    @Test func aStrictContractTakesNothingThatItDoesNotName() async {
        var strict = contract
        strict.isStrict = true
        #expect(await ContractCall().drift(strict) == [])
        var call = ContractCall()
        call.query += "&debug=1"
        call.headers[.other] = "x"
        call.headers[.userAgent] = "tests"
        call.body = call.body?.replacing("\"id\":7", with: "\"id\":7,\"vip\":true")
        #expect(await call.drift(contract) == [])
        #expect(await call.drift(strict) == ["query.debug", "header.X-Other", "body.$.customer.vip"])
    }

    @Test func eachExpectationIsUsedOnceInAnyOrder() async throws {
        var twice = Contract.Expectation("b", .post, "/b", .json("b"))
        twice.times = 2
        let contract = Contract("many", expectations: [.init("a", .post, "/a", .json("a")), twice])
        let transport = ContractTransport(contract)
        #expect(try await ContractCall(path: "/b").text(transport) == #""b""#)
        #expect(try await ContractCall(path: "/a").text(transport) == #""a""#)
        #expect(throws: ContractVerificationError.self) { try transport.verifyComplete() }
        #expect(transport.report.violations.map(\.kind) == [.unusedExpectation])
        _ = try await ContractCall(path: "/b").text(transport)
        try transport.verifyComplete()
        let error = await ContractCall(path: "/a").failure(transport)
        let violation = try #require(error?.underlying as? ContractViolation)
        #expect(error?.code == .invalidRequest)
        #expect(violation.kind == .unexpectedRequest)
        #expect(violation.differences.map(\.description) == ["uses: expected 1, actual 2"])
        transport.reset()
        #expect(transport.report.matches.isEmpty)
        #expect(transport.report.violations.count == 2)
        _ = try await ContractCall(path: "/a").text(transport)
    }

    @Test func anOrderedContractWantsItsOrder() async throws {
        let contract = Contract(
            "steps", isOrdered: true,
            expectations: [.init("a", .post, "/a", .json("a")), .init("b", .post, "/b", .json("b"))])
        let transport = ContractTransport(contract)
        let error = await ContractCall(path: "/b").failure(transport)
        let violation = try #require(error?.underlying as? ContractViolation)
        #expect(violation.differences.map(\.description) == ["order: expected a, actual b"])
        _ = try await ContractCall(path: "/a").text(transport)
        _ = try await ContractCall(path: "/b").text(transport)
        let late = await ContractCall(path: "/b").failure(transport)
        #expect((late?.underlying as? ContractViolation)?.differences.map(\.field) == ["uses"])
    }

    @Test func theNearestExpectationIsComparedNotTheFirst() async throws {
        let contract = Contract(
            "near",
            expectations: [
                .init("other", .get, "/health", .json(1)), .init("list", .get, "/orders", .json(1)),
                ContractCall.expectation,
            ])
        var call = ContractCall()
        call.headers[.clientName] = "phone"
        let error = try #require(await call.failure(ContractTransport(contract)))
        #expect(
            error.message == """
                POST /orders/7?page=2&tag=a&tag=b is not as expectation order says
                  header.X-Client: expected text like "sh?p*", actual "phone"
                """)
        let stray = await ContractCall(method: .delete, path: "/nowhere").failure(ContractTransport(contract))
        #expect((stray?.underlying as? ContractViolation)?.kind == .unexpectedRequest)
        #expect(
            (await ContractCall().failure(ContractTransport(Contract("none"))))?.message.contains("no expectations")
                == true)
    }

    @Test func formsPartsAndOtherBodiesAreCompared() async {
        var form = Contract.Expectation("login", .post, "/login", .json(1))
        form.body = .form(["user": "ada", "otp": .absent, "password": .present])
        var call = ContractCall(
            path: "/login", query: "", headers: [.contentType: "application/x-www-form-urlencoded"],
            body: "user=ada&password=x&more=1")
        #expect(await call.drift(Contract("c", expectations: [form])) == [])
        #expect(await call.drift(Contract("c", isStrict: true, expectations: [form])) == ["body.more"])
        call.body = "user=bob&user=ada&otp=1&password=x"
        #expect(await call.drift(Contract("c", expectations: [form])) == ["body.otp", "body.user"])

        var parts = Contract.Expectation("upload", .post, "/login", .json(1))
        parts.body = .multipart([
            .init("note", body: .text("hello")), .init("file", filename: .glob("*.png"), contentType: "image/png"),
        ])
        call.headers[.contentType] = "multipart/form-data; boundary=X"
        call.body =
            "--X\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhullo\r\n"
            + "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.gif\"\r\nContent-Type: image/png\r\n\r\n"
            + "\r\n--X--\r\n"
        #expect(await call.drift(Contract("c", expectations: [parts])) == ["body.note", "body.file.filename"])

        for (rule, isMatch) in [
            (Contract.BodyRule.absent, false), (.present, true), (.anything, true), (.text("x"), false),
            (.bytes(Bytes((call.body ?? "").utf8)), true), (.code(.satisfying { $0.count > 5 }), true),
            (.code(.satisfying { $0.count < 5 }), false),
        ] {
            parts.body = rule
            #expect(await call.drift(Contract("c", expectations: [parts])) == (isMatch ? [] : ["body"]), "\(rule)")
        }
    }

    @Test func aStreamedBodyIsReadBeforeItIsCompared() async throws {
        var expectation = Contract.Expectation("s", .post, "/s", .json("ok"))
        expectation.body = .text("hello")
        let transport = ContractTransport(Contract("c", expectations: [expectation]))
        #expect(try await RecordCall("/s", body: "hello", isStreamed: true).text(transport) == #""ok""#)
    }

    @Test func aFailureIsTheOutcome() async throws {
        let failure = Contract.Outcome.failure(.init(.dns, message: "no such host"))
        let transport = ContractTransport(Contract("c", expectations: [.init("gone", nil, nil, failure)]))
        let error = await ContractCall().failure(transport)
        #expect(error?.code == .dns)
        #expect(error?.message == "no such host (in the contract)")
        try transport.verifyComplete()
        await transport.shutdown()
        #expect(await ContractCall().failure(transport)?.code == .shutdown)
    }

    @Test func manyCallsAtOnceUseEachExpectationOnce() async throws {
        var expectations = (0..<20).map { Contract.Expectation("e\($0)", .post, "/n/{id}", .json(.integer($0))) }
        expectations[0].times = 30
        let transport = ContractTransport(Contract("many", expectations: expectations))
        let outcomes = await withTaskGroup { group in
            for index in 0..<60 {
                group.addTask { await ContractCall(path: "/n/\(index)").failure(transport)?.code }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 49)
        #expect(outcomes.count { $0 == .invalidRequest } == 11)
        #expect(transport.report.matches.count == 49)
        #expect(transport.report.violations.count == 11)
        #expect(Set(transport.report.matches.map(\.expectation)).count == 20)
    }
}

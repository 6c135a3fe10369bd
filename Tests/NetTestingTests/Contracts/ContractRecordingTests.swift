import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetRecord
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContractRecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let stubs = [
        Stub(.post, "/orders/{id}", .json(text: #"{"id":1,"access_token":"PLANTED"}"#).header(.setCookie, "PLANTED")),
        Stub(.get, "/form", .text("done").header(.date, "Thu, 01 Jan 1970 00:00:00 GMT")),
        Stub(.get, "/lost", .dropped()),
    ]

    private func record() async throws -> RecordingTransport {
        let recording = RecordingTransport(MockTransport(Self.stubs))
        var call = ContractCall()
        call.headers[.authorization] = "Bearer PLANTED"
        call.body = #"{"password":"PLANTED","n":1}"#
        _ = try await call.text(recording)
        _ = try await ContractCall(method: .get, path: "/form", query: "token=PLANTED", headers: [:], body: nil).text(
            recording)
        _ = await ContractCall(method: .get, path: "/lost", query: "", headers: [:], body: nil).failure(recording)
        return recording
    }

    @Test func aRecordingBecomesAContract() async throws {
        let recording = try await record()
        try recording.write(to: folder.file("tape.json"))
        try recording.write(to: folder.file("tape.har"))
        for contract in [
            try Contract("rec", recordedBy: recording), try Contract("rec", cassette: folder.file("tape.json")),
            try Contract("rec", cassette: folder.file("tape.har")),
        ] {
            #expect(contract.expectations.map(\.id) == ["rec-1", "rec-2", "rec-3"])
            try contract.write(to: folder.file("contract.json"))
            #expect(!(try folder.text("contract.json")).contains("PLANTED"))
            let transport = ContractTransport(try Contract(contentsOf: folder.file("contract.json")))
            var call = ContractCall()
            call.headers[.authorization] = "Bearer OTHER"
            call.body = #"{"n":1,"password":"OTHER"}"#
            #expect(try await call.text(transport).contains(#""id":1"#))
            call.headers[.authorization] = nil
            call.body = #"{"n":2}"#
            let error = await call.failure(transport)
            // The expectation is used up; the remaining ones differ more.
            #expect((error?.underlying as? ContractViolation)?.kind == .unexpectedRequest)
            let lost = ContractCall(method: .get, path: "/lost", query: "", headers: [:], body: nil)
            #expect(await lost.failure(transport)?.code == .connectionLost)
        }
    }

    @Test func hiddenMembersMayBeAnythingButMustBeThere() async throws {
        let contract = try Contract("rec", recordedBy: try await record())
        var call = ContractCall(body: #"{"n":1}"#)
        #expect(await call.drift(contract) == ["header.Authorization", "body.$.password"])
        call.headers[.authorization] = "x"
        call.body = #"{"n":2,"password":7}"#
        #expect(await call.drift(contract) == ["body.$.n"])
    }

    @Test func aContractBecomesARecordingThatReplays() async throws {
        var expectation = ContractCall.expectation
        expectation.example = ["id": "7"]
        expectation.headers = [.contentType: "application/json", .clientName: "shop"]
        expectation.times = 2
        expectation.body = .json(["password": "<redacted>", "n": 1])
        let lost = Contract.Expectation("lost", .get, "/lost/{what}", .failure(.init(.timeout, message: "late")))
        let contract = Contract("c", expectations: [expectation, lost])
        for name in ["tape.json", "tape.har"] {
            try contract.writeCassette(to: folder.file(name), baseURL: "https://api.test")
            let replay = try ReplayTransport(cassette: folder.file(name), mode: .none)
            #expect(replay.unusedExchanges.count == 3)
            var call = ContractCall()
            call.body = #"{"n":1,"password":"mine"}"#
            #expect(try await call.text(replay) == #"{"id":1,"state":"open"}"#)
            #expect(try await call.text(replay) == #"{"id":1,"state":"open"}"#)
            let get = ContractCall(method: .get, path: "/lost/what", query: "", headers: [:], body: nil)
            #expect(await get.failure(replay)?.code == .timeout)
            try replay.verify()
            // And back: the recording is a contract for the same calls.
            let again = try Contract("again", cassette: folder.file(name))
            #expect(await call.drift(again) == [])
        }
    }

    @Test(arguments: [
        Contract.BodyRule.absent, .present, .text("a\nb"), .bytes([0, 0xff]), .json(["a": [1, "<redacted>"]]),
        .form(["a": .exactly(["1", "2 &"]), "b": .glob("x*?"), "c": .contains("y"), "d": .absent]),
        .multipart([.init("p", filename: "f.txt", contentType: "text/plain", body: .text("hello"))]),
    ])
    func theExampleOfARuleKeepsTheRule(_ rule: Contract.BodyRule) async throws {
        var expectation = Contract.Expectation("e", .post, "/a b/{id}", .json(1))
        expectation.body = rule
        expectation.query = ["q": .exactly(["a b", "&="])]
        let contract = Contract("c", expectations: [expectation])
        let example = try #require(contract.cassette(baseURL: "https://api.test", date: .now).exchanges.first?.request)
        let target = try #require(example.url.split(separator: "api.test").last)
        var call = ContractCall(path: "\(target.prefix { $0 != "?" })", headers: example.headers)
        call.query = String(target.drop { $0 != "?" }.dropFirst())
        let head = call.request.head
        let request = PreparedRequest(head: head, body: .bytes(example.body.bytes))
        let response = try await ContractTransport(contract).execute(request, context: CallContext(for: request))
        #expect(response.head.status == .ok)
    }

    @Test func aTypedRequestOfAClientIsExpected() async throws {
        let request = Request<JSONValue>(
            "orders/\(7)", method: .post, query: [QueryItem("page", 2)], headers: [.clientName: "shop"],
            body: .json(["n": 1]))
        let configuration = HTTPClient.Configuration(baseURL: "https://api.test")
        let planner = HTTPClient(configuration: configuration, transport: MockTransport())
        let expected = Contract.Expectation("typed", try planner.prepare(request), .json(["id": 1]))
        let transport = ContractTransport(Contract("c", isStrict: true, expectations: [expected]))
        let client = HTTPClient(configuration: configuration, transport: transport)
        let answer = try await client.send(request)
        #expect(answer == ["id": 1])
        try transport.verifyComplete()
    }

    @Test func anotherPlaceholderBecomesTheWildcard() async throws {
        var policy = RedactionPolicy.safeDefault
        policy.placeholder = "HIDDEN"
        let recording = RecordingTransport(MockTransport(Self.stubs), redaction: policy)
        var call = ContractCall(body: #"{"password":"PLANTED","n":1}"#)
        _ = try await call.text(recording)
        let contract = try Contract("rec", recordedBy: recording, redaction: policy)
        try contract.write(to: folder.file("contract.json"))
        let text = try folder.text("contract.json")
        #expect(text.contains("\"wildcard\": \"HIDDEN\""))
        #expect(!text.contains("PLANTED"))
        #expect(!text.contains("<redacted>"))
        call.body = #"{"password":"other","n":1}"#
        #expect(await call.drift(try Contract(contentsOf: folder.file("contract.json"))) == [])
    }

    @Test func stubsOfAContractMatchAndAreUsedUpLikeIt() async throws {
        var contract = Contract("c", isStrict: true, expectations: [ContractCall.expectation])
        contract.expectations.append(.init("lost", .get, "/lost", .failure(.init(.connectionLost))))
        contract.expectations.append(.init("odd", .get, "/odd", .failure(.init(.decoding, message: "odd"))))
        let transport = MockTransport(contract: contract)
        var call = ContractCall()
        call.query += "&debug=1"
        let refused = await call.failure(transport)
        #expect(refused?.message.contains("query.debug: expected absent, actual \"1\"") == true)
        #expect(try await ContractCall().text(transport).contains("open"))
        #expect(await ContractCall().failure(transport)?.code == .invalidRequest)
        let get = ContractCall(method: .get, path: "/lost", query: "", headers: [:], body: nil)
        #expect(await get.failure(transport)?.code == .connectionLost)
        let odd = ContractCall(method: .get, path: "/odd", query: "", headers: [:], body: nil)
        #expect(await odd.failure(transport)?.code == .decoding)
        try transport.verify()
    }

    @Test func stubsKeepTheOrder() async throws {
        var twice = Contract.Expectation("a", .post, "/a", .json("a"))
        twice.times = 2
        let contract = Contract("c", isOrdered: true, expectations: [twice, .init("b", .post, "/b", .json("b"))])
        let transport = MockTransport(contract: contract)
        let (a, b) = (ContractCall(path: "/a"), ContractCall(path: "/b"))
        _ = try await a.text(transport)
        #expect(await b.failure(transport)?.message.contains("scenario contract c is in state") == true)
        _ = try await a.text(transport)
        #expect(try await b.text(transport) == #""b""#)
        try transport.verify()
    }
}

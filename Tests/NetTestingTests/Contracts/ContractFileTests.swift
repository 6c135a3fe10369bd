import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContractFileTests {
    private let folder: TemporaryFolder
    private var file: String { folder.file("shop.json") }

    init() throws { folder = try TemporaryFolder() }

    private func failure(_ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: file))
        do throws(NetError) {
            _ = try Contract(contentsOf: file)
            return "read"
        } catch {
            return error.message.replacing(file, with: "FILE")
        }
    }

    /// A contract that uses all features of the file format.
    private var full: Contract {
        var first = ContractCall.expectation
        first.times = 3
        first.example = ["id": "7"]
        first.query["debug"] = .absent
        var response = Contract.Response(status: .ok, headers: [.setCookie: "a=1"], body: Bytes([0xff, 0x00]))
        response.headers.append(HTTPField(name: .setCookie, value: "b=2"))
        response.headerRules = [.eTag: .present]
        response.bodyRule = .anything
        var second = Contract.Expectation("second", nil, nil, .response(response))
        second.body = .multipart([.init("n", filename: .glob("*.png"), contentType: "image/png", body: .text("a\nb\n"))]
        )
        var third = Contract.Expectation("third", .get, "*", .failure(.init(.timeout, message: "late")))
        third.body = .form(["a": .exactly(["1", "2"])])
        var fourth = Contract.Expectation("fourth", .head, "/x", .json(["id": 9_007_199_254_740_993]))
        fourth.body = .bytes([1, 0xfe])
        fourth.query = ["id": .regex("^[0-9]{4}$")]
        return Contract(
            "shop", isStrict: true, isOrdered: true, wildcard: "ANY", expectations: [first, second, third, fourth])
    }

    @Test func everythingComesBackAndTheFileStaysTheSame() async throws {
        try full.write(to: file)
        let text = try folder.text("shop.json")
        let read = try Contract(contentsOf: file)
        try read.write(to: file)
        #expect(try folder.text("shop.json") == text)
        #expect(read.isStrict)
        #expect(read.isOrdered)
        #expect(read.wildcard == "ANY")
        #expect(read.expectations.map(\.id).count == 4)
        #expect(read.expectations[0].times == 3)
        #expect(read.expectations[0].example == ["id": "7"])
        // An integer keeps all 64 bits.
        #expect(text.contains("9007199254740993"))
        guard case .response(let response) = read.expectations[3].outcome else { throw CancellationError() }
        #expect(response.body.elementsEqual(#"{"id":9007199254740993}"#.utf8))
        guard case .response(let binary) = read.expectations[1].outcome else { throw CancellationError() }
        #expect(Array(binary.body) == [0xff, 0x00])
        #expect(binary.headers[values: .setCookie] == ["a=1", "b=2"])
        #expect(text.hasPrefix("{\n  \"expectations\": [\n    {\n      \"body\": {"))
    }

    @Test func aReadContractBehavesLikeTheWrittenOne() async throws {
        try Contract("shop", expectations: [ContractCall.expectation]).write(to: file)
        let read = try Contract(contentsOf: file)
        #expect(await ContractCall().drift(read) == [])
        for drift in ContractTransportTests.drifts {
            var call = ContractCall()
            drift.change(&call)
            #expect(await call.drift(read) == [drift.field])
        }
    }

    static let mistakes = [
        ("{", "FILE:1:2: the file ends in the middle of it"),
        (
            #"{"version": 2, "name": "x", "expectations": [], "new": 1}"#,
            "FILE:1:13: version: the file has a newer version"
        ),
        (#"{"version": 0, "name": "x", "expectations": []}"#, "there is no such version"),
        (#"{"version": 1, "name": "x"}"#, "the member \"expectations\" is missing"),
        (
            #"{"version": 1, "name": "x", "expectations": [], "strikt": true}"#,
            "unknown member \"strikt\""
        ),
        (#"{"version": 1, "name": "x", "expectations": [], "strict": 1}"#, "expected true or false, found a number"),
        (#"{"version": 1, "name": "x", "expectations": [], "name": "y"}"#, "\"name\" appears twice"),
        (#"{"version": 1, "name": "x", "expectations": [{"id": "a"}]}"#, "\"response\" or \"failure\" is missing"),
        (
            expectation(#""response": {"status": 20}"#),
            "FILE:2:36: expectations[0].response.status: expected a whole number"
        ),
        (expectation(#""response": {"status": 1e300}"#), "expected a whole number from 200 to 999"),
        (expectation(#""response": {"status": 200}, "failure": {"code": "dns"}"#), "can't be combined"),
        (expectation(#""response": {"status": 200}, "method": "G T""#), "this isn't an HTTP method"),
        (expectation(#""response": {"status": 200}, "path": "/a?b=1""#), "expected a path such as /users/{id}"),
        (expectation(#""response": {"status": 200}, "path": "/a/{b""#), "a segment may hold one {name}"),
        (expectation(#""response": {"status": 200}, "query": {"a": {"like": "x"}}"#), "unknown member \"like\""),
        (
            expectation(#""response": {"status": 200}, "query": {"a": {"is": "here"}}"#),
            "expected \"present\" or \"absent\""
        ),
        (expectation(#""response": {"status": 200}, "query": {"a": {}}"#), "expected one of \"is\", \"contains\""),
        (expectation(#""response": {"status": 200}, "query": [1]"#), "expected an object, found a list"),
        (expectation(#""response": {"status": 200}, "query": {"a": 1}"#), "expected an object, found a number"),
        (expectation(#""response": {"status": 200}, "fields": {"a b": "1"}"#), "\"a b\" isn't a header name"),
        (expectation(#""response": {"status": 200}, "body": {}"#), "the body has no rules"),
        (expectation(#""response": {"status": 200}, "body": {"base64": "!"}"#), "this isn't valid base64"),
        (expectation(#""response": {"status": 200}, "body": {"paths": {"x": "1"}}"#), "\"x\" isn't a JSON path"),
        (
            expectation(#""response": {"status": 200}, "query": {"a": {"regex": "(a"}}"#),
            "\"(a\" isn't a regular expression"
        ),
        (expectation(#""response": {"status": 200}, "body": {"is": "empty"}"#), "expected \"anything\", \"absent\" or"),
        (expectation(#""response": {"status": 200}, "times": 0"#), "expected a whole number from 1"),
        (expectation(#""response": {"status": 200, "fields": ["no colon"]}"#), "expected a header such as"),
        (expectation(#""response": {"status": 200, "fields": ["A: \u0000"]}"#), "expected a header such as"),
        (expectation(#""response": {"status": 200, "body": {"text": "a", "base64": ""}}"#), "can't be combined"),
        (
            #"{"version": 1, "name": "x", "expectations": [{"id": "a", "failure": {"code": "dns"}}, "#
                + #"{"id": "a", "failure": {"code": "dns"}}]}"#, "expectations[1].id: another expectation already has"
        ),
    ]

    private static func expectation(_ members: String) -> String {
        "{\"version\": 1, \"name\": \"x\", \"expectations\": [\n{\"id\": \"a\", " + members + "}]}"
    }

    @Test(arguments: mistakes)
    func aMistakeIsToldWithItsPlaceAndWhatToDo(_ text: String, _ message: String) throws {
        let found = try failure(text)
        #expect(found.contains(message), "\(found)")
        #expect(found.hasPrefix("FILE:"))
        #expect(found.contains("; "))
        // An unreadable file is never overwritten.
        #expect(throws: NetError.self) { try Contract("new").write(to: file) }
        #expect(try folder.text("shop.json") == text)
    }

    @Test func aFileCutAnywhereIsReportedNeverRead() throws {
        try full.write(to: file)
        let text = try folder.text("shop.json")
        for length in stride(from: 0, to: text.utf8.count - 2, by: 7) {
            let found = try failure(String(text.prefix(length)))
            #expect(found.contains("the file ends") || found.contains("FILE:"), "\(length): \(found)")
            #expect(found != "read")
        }
        #expect(throws: NetError.self) { try Contract(contentsOf: folder.file("none.json")) }
    }

    @Test func aRuleThatIsCodeCannotBeWritten() throws {
        var expectation = Contract.Expectation("a", .get, "/a", .json(1))
        expectation.query["q"] = .code(.satisfying { $0.isEmpty })
        do throws(NetError) {
            try Contract("c", expectations: [expectation]).write(to: file)
            Issue.record("a closure was written")
        } catch {
            #expect(error.code == .encoding)
            #expect(error.message.contains("exists only in code"))
        }
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}

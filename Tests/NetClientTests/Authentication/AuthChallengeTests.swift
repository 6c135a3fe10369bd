import Foundation
import HTTPTypes
import NetClient
import TestSupport
import Testing

@testable import NetCore

@Suite struct AuthChallengeTests {
    /// A case of `Fixtures/conformance/http-digest/challenges.json`.
    private struct Case: Decodable {
        let id, field: String
        let schemes: [[JSONValue]]
    }

    private func simplified(_ challenge: AuthChallenge) -> [JSONValue] {
        if let token = challenge.token68 { return [.string(challenge.scheme.lowercased()), .string(token)] }
        let pairs = challenge.parameters.map { ($0.name, JSONValue.string($0.value)) }
        return [.string(challenge.scheme.lowercased()), .object(Dictionary(uniqueKeysWithValues: pairs))]
    }

    @Test func theCasesAreReadWhole() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/conformance/http-digest/challenges.json")
        let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: path))
        #expect(cases.count == 8)
        for one in cases {
            #expect(AuthChallenge.list(one.field).map(simplified) == one.schemes, "\(one.id)")
        }
    }

    private func names(_ text: String) -> [String] {
        AuthChallenge.list(text).map { challenge in
            let parameters = challenge.parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            return challenge.scheme + ":" + (challenge.token68 ?? parameters)
        }
    }

    @Test(arguments: [
        // Whitespace in every place where it has occurred.
        ("Basic\trealm\t=\t\"a\"  ,\tcharset = UTF-8", ["Basic:realm=a&charset=UTF-8"]),
        ("Negotiate a/b+c==,NTLM", ["Negotiate:a/b+c==", "NTLM:"]), ("Basic realm=", ["Basic:realm="]),
        ("Basic realm=\"\"", ["Basic:realm="]), ("", []), (" , ,", []),
        // A malformed challenge is dropped, those around it remain.
        ("Basic realm=\"a, Bearer", []), ("A x=1, B x=1 y=2, C x=1", ["A:x=1", "C:x=1"]),
        ("A x=1, x=2, B", ["B:"]), ("A a==, x=1, B", ["B:"]), ("x=1, B y=2", ["B:y=2"]),
        ("A x=1, \"q\", B", ["B:"]), ("A x=\"1\"2, B", ["B:"]), ("A =x, B", ["B:"]), ("A b c, D", ["D:"]),
        ("\"x, y\" z, B", ["B:"]), ("Basic realm=\"a\\", []),
    ])
    func malformedChallengesAreSkippedAndTheRestIsRead(text: String, expected: [String]) {
        #expect(names(text) == expected)
    }

    @Test func severalLinesAreOneList() throws {
        var headers = HTTPFields()
        for line in ["Digest realm=\"a\"", "nonce=\"n\", Basic realm=\"b\"", "Bearer \"", "Bearer realm=\"c\""] {
            headers.append(HTTPField(name: .wwwAuthenticate, value: line))
        }
        try #require(headers.challenges().map(\.realm) == ["a", "b", "c"])
        #expect(headers.challenges()[0]["NONCE"] == "n")
        #expect(headers.challenges(.proxyAuthenticate).isEmpty)
    }

    @Test func aChallengeIsWrittenAndReadBack() throws {
        let made = try AuthChallenge(
            scheme: "Digest",
            parameters: [.init("Realm", "a \"b\\c, d"), .init("algorithm", "SHA-256"), .init("stale", "true")])
        #expect(made.value == #"Digest realm="a \"b\\c, d", algorithm=SHA-256, stale=true"#)
        #expect(AuthChallenge.list(made.value) == [made])
        #expect(try AuthChallenge(scheme: "Negotiate").value == "Negotiate")
        for (scheme, parameters) in [
            ("a b", []), ("A", [FieldParameter("x", "1"), .init("X", "2")]), ("A", [.init("x", "1\n2")]),
            ("A", [.init("x y", "1")]), ("", []),
        ] {
            let error = #expect(throws: NetError.self) { try AuthChallenge(scheme: scheme, parameters: parameters) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func credentialsHaveTheSameFormAndAreNotShown() throws {
        let made = try Authorization(scheme: "Digest", parameters: [.init("username", "SECRET"), .init("nc", "1")])
        #expect(made.value == "Digest username=\"SECRET\", nc=1")
        #expect(made.parameters.map(\.name) == ["username", "nc"])
        #expect(try Authorization.bearer("abc").parameters.isEmpty)
        let challenge = try #require(AuthChallenge.list(made.value).first)
        var dumped = ""
        dump(challenge, to: &dumped)
        #expect(!"\(challenge)\(dumped)".contains("SECRET"))
    }

    @Test func aFieldWithoutASchemeIsAListOfParameters() {
        let list = FieldParameter.list(#"rspauth="a\"b", qop=auth ,, nc = 00000001"#)
        #expect(list?.map(\.value) == ["a\"b", "auth", "00000001"])
        #expect(FieldParameter.list("")?.isEmpty == true)
        for text in ["a", "a=1 b=2", "a=1, a=2", "a=\"", "=1", "a=1, Basic"] {
            #expect(FieldParameter.list(text) == nil, "\(text)")
        }
    }

    @Test func limitsHoldAndNoInputTakesLong() {
        let many = (0..<AuthChallenge.maximumParameters).map { "p\($0)=1" }.joined(separator: ",")
        #expect(names("A " + many).count == 1)
        #expect(names("A " + many + ",q=1, B") == ["B:"])
        #expect(AuthChallenge.list("A " + String(repeating: ",", count: AuthChallenge.maximumBytes)).isEmpty)
        for text in ["\"", "\\", ",", "=", "A ", "A x=", "A x=\"", "a=b,", "A a==,"] {
            _ = AuthChallenge.list(String(repeating: text, count: AuthChallenge.maximumBytes / text.utf8.count))
        }
        for text in Samples.hostile { _ = AuthChallenge.list(text) }
    }

    /// Cut at each position, the result is a prefix of the complete result; only the last challenge may differ.
    @Test func noCutInventsAChallenge() {
        let whole = "Negotiate ab==, Digest realm=\"a, \\\"b\", nonce=n, Basic realm=\"c\""
        let schemes = AuthChallenge.list(whole).map(\.scheme)
        for count in 0..<whole.utf8.count {
            let read = AuthChallenge.list(String(decoding: Array(whole.utf8).prefix(count), as: UTF8.self))
            #expect(schemes.starts(with: read.dropLast().map(\.scheme)))
        }
    }
}

import Foundation
import HTTPTypes
import NetCore
import Testing

struct ExchangeRedactionTests {
    private func redacted(_ text: String, type: String = "application/json") -> String {
        let request = CapturedExchange.Request(
            method: .post, url: "https://a.test/", headers: [.contentType: type],
            body: CapturedBody(Bytes(text.utf8)))
        let once = RedactionPolicy.safeDefault.redact(request)
        #expect(RedactionPolicy.safeDefault.redact(once) == once)
        return String(decoding: once.body.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"password": "hunter2", "name":"Ada"}"#, #"{"password": "<redacted>", "name":"Ada"}"#),
        (
            #"{"accessToken":"x","access_token":"y","API-KEY":"z"}"#,
            #"{"accessToken":"<redacted>","access_token":"<redacted>","API-KEY":"<redacted>"}"#
        ),
        (#"{"secret":12345,"n":1}"#, #"{"secret":0,"n":1}"#),
        (#"{"secret":null,"n":true}"#, #"{"secret":null,"n":true}"#),
        (
            #"{"secret":{"a":["x",{"b":-1.5e3}],"c":true},"n":"x"}"#,
            #"{"secret":{"a":["<redacted>",{"b":0}],"c":true},"n":"x"}"#
        ),
        (#"{"pass\u0077ord":"x\"y"}"#, #"{"pass\u0077ord":"<redacted>"}"#),
        (#"{"token":"cut of"#, #"{"token":"<redacted>""#),
        (#"{"token" : "#, #"{"token" : "#),
        (#"{"a":"token","b":"password"}"#, #"{"a":"token","b":"password"}"#),
        (
            "data: {\"token\":\"x\"}\n\ndata: \"odd\n\ndata: {\"token\":\"y\"}\n\n",
            "data: {\"token\":\"<redacted>\"}\n\ndata: \"odd\n\ndata: {\"token\":\"<redacted>\"}\n\n"
        ),
    ])
    func membersOfJSONAreHiddenAndTheRestStays(_ text: String, _ expected: String) {
        #expect(redacted(text) == expected)
    }

    @Test func fieldsOfFormsAreHidden() {
        #expect(
            redacted("user=ada&pass%77ord=x+y&code=42&n=", type: "application/x-www-form-urlencoded")
                == "user=ada&pass%77ord=%3Credacted%3E&code=%3Credacted%3E&n=")
        let parts =
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--b\r\n"
            + "Content-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n--b--\r\n"
        #expect(
            redacted(parts, type: "multipart/form-data; boundary=b")
                == parts.replacing("hunter2", with: "<redacted>"))
    }

    @Test func partsOfABodyThatWasCutAreHiddenToo() {
        let type = "multipart/form-data; boundary=b"
        let head = "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n"
        #expect(redacted(head + "hunter2", type: type) == head + "<redacted>")
        let odd = "--b\r\nno field\r\nContent-Disposition: form-data; name=token\r\n\r\n"
        #expect(redacted(odd + "hunter2\r\n--b--", type: type) == odd + "<redacted>\r\n--b--")
    }

    @Test func thePolicysOwnPlaceholderStandsForEveryHiddenValue() {
        var policy = RedactionPolicy.safeDefault
        policy.placeholder = "hidden"
        let request = CapturedExchange.Request(
            method: .post, url: "https://u:p@a.test/?token=x",
            headers: [.authorization: "x", .contentType: "application/json"],
            body: CapturedBody(Bytes(#"{"password":"x"}"#.utf8)))
        let redacted = policy.redact(request)
        #expect(redacted.url == "https://hidden@a.test/?token=hidden")
        #expect(redacted.headers[.authorization] == "hidden")
        #expect(redacted.body.bytes.elementsEqual(#"{"password":"hidden"}"#.utf8))
    }

    @Test func segmentsOfPathsAreHiddenWhereverAURLStands() {
        var policy = RedactionPolicy.safeDefault
        policy.pathRules = [.after("reset")]
        let exchange = CapturedExchange(
            recordedAt: .init(timeIntervalSince1970: 0), duration: .zero,
            request: .init(
                method: .get, url: "https://a.test/reset/PLANTED-1?page=2",
                headers: [.referer: "https://a.test/reset/PLANTED-2"]),
            outcome: .response(.init(status: .found, headers: [.location: "/reset/PLANTED-3"])))
        let redacted = policy.redact(exchange)
        #expect(!"\(redacted)".contains("PLANTED"))
        #expect(redacted.request.url == "https://a.test/reset/<redacted>?page=2")
        #expect(redacted.response?.headers[.location] == "/reset/<redacted>")
    }

    @Test func thePiecesOfAStreamKeepTheirPlaces() {
        let body = CapturedBody(pieces: [
            .init(Bytes("data: {\"tok".utf8)), .init(Bytes("en\":\"hun".utf8), after: .seconds(1)),
            .init(Bytes("ter2\"}\n\n".utf8), after: .seconds(2)),
            .init(Bytes("data: end\n\n".utf8), after: .seconds(3)),
        ])
        let redacted = RedactionPolicy.safeDefault.redact(
            CapturedExchange(
                recordedAt: .init(timeIntervalSince1970: 0), duration: .zero,
                request: .init(method: .get, url: "http://a.test/"),
                outcome: .response(.init(status: .ok, headers: [.contentType: "text/event-stream"], body: body))))
        let pieces = redacted.response?.body.pieces ?? []
        #expect(pieces.map(\.delay) == [.zero, .seconds(1), .seconds(2), .seconds(3)])
        #expect(
            pieces.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "data: {\"tok", "en\":\"<redacted>\"", "}\n\n", "data: end\n\n",
            ])
    }

    @Test func credentialsThatAServerRepeatsAreHiddenInTextOfAnyKind() {
        func answered(_ text: String, type: String? = "text/plain") -> String? {
            let request = CapturedExchange.Request(
                method: .get, url: "https://a.test/?api_key=key%2Dof-query&page=2",
                headers: [.authorization: "Bearer token-of-header", .cookie: "theme=darkmode-of-old"])
            var headers = HTTPFields()
            headers[.contentType] = type
            let exchange = CapturedExchange(
                recordedAt: .init(timeIntervalSince1970: 0), duration: .zero, request: request,
                outcome: .response(.init(status: .ok, headers: headers, body: CapturedBody(Bytes(text.utf8)))))
            let once = RedactionPolicy.safeDefault.redact(exchange)
            #expect(RedactionPolicy.safeDefault.redact(once) == once)
            return once.response.map { String(decoding: $0.body.bytes, as: UTF8.self) }
        }
        #expect(answered("refused: token-of-header") == "refused: <redacted>")
        #expect(answered("Bearer token-of-header!", type: nil) == "<redacted>!", "the whole value, where it is whole")
        #expect(answered("key-of-query or key%2Dof-query") == "<redacted> or <redacted>")
        #expect(answered("darkmode-of-old and token") == "darkmode-of-old and token", "cookies may be ordinary words")
        #expect(
            answered(#"{"token":"token-of-header","e":"no token-of-header"}"#, type: "application/json")
                == #"{"token":"<redacted>","e":"no <redacted>"}"#)
    }
}

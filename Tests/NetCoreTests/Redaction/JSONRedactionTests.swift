import NetTesting
import Testing

@testable import NetCore

@Suite struct JSONRedactionTests {
    private func shown(
        _ text: String, _ configure: (inout RedactionPolicy) -> Void = { _ in }, isInXML: Bool = false
    ) -> String {
        var policy = RedactionPolicy.safeDefault
        configure(&policy)
        let bytes = Array(text.utf8)
        let edits = JSONRedaction.edits(in: bytes, policy: policy, isInXML: isInXML)
        return String(decoding: edits.applied(to: bytes), as: UTF8.self)
    }

    @Test(
        arguments: [
            // Only the value after the name's colon is hidden.
            (#"{"token":"x","a":"y"}"#, #"{"token":"<redacted>","a":"y"}"#),
            (#"{"token" : "x"}"#, #"{"token" : "<redacted>"}"#),
            ("{\"token\"\t\r\n:\"x\"}", "{\"token\"\t\r\n:\"<redacted>\"}"),
            ("{\"token\"\u{b}:\"x\"}", "{\"token\"\u{b}:\"x\"}"), (#"["token","x"]"#, #"["token","x"]"#),
            (#"{"token":true,"a":"x"}"#, #"{"token":true,"a":"x"}"#), (#"{"token":,"a"}"#, #"{"token":,"a"}"#),
            (#"{"token":{},"a":"x"}"#, #"{"token":{},"a":"x"}"#), (#"{"token":[],"a":1}"#, #"{"token":[],"a":1}"#),
            (#"{"token":}"x""#, #"{"token":}"x""#), (#"{"token":]"x""#, #"{"token":]"x""#),
            (#"{"token":"token":"x"}"#, #"{"token":"<redacted>":"x"}"#),
            // Exactly one complete object or list.
            (
                #"{"token":["x",["y"],{"a":"z"}],"b":"c"}"#,
                #"{"token":["<redacted>",["<redacted>"],{"a":"<redacted>"}],"b":"c"}"#
            ),
            (#"{"token":{"a":{"b":1},"c":2},"d":3}"#, #"{"token":{"a":{"b":0},"c":0},"d":3}"#),
            (#"{"token":{"token":"x"},"d":"e"}"#, #"{"token":{"token":"<redacted>"},"d":"e"}"#),
            (#"[{"token":["x"]},["y"]]"#, #"[{"token":["<redacted>"]},["y"]]"#),
            ("}]}\"a\"", "}]}\"a\""),
            // Numbers of every form.
            (#"{"token":-1.5E+3,"a":1}"#, #"{"token":0,"a":1}"#), (#"{"token":9e-1}"#, #"{"token":0}"#),
            (#"{"token":0}"#, #"{"token":0}"#), (#"{"token":-}"#, #"{"token":0}"#), (#"{"token":7}"#, #"{"token":0}"#),
            (#"{"token":/1}"#, #"{"token":/0}"#), (#"{"token"::1}"#, #"{"token"::0}"#),
            (#"{"a":9,"b":0}"#, #"{"a":9,"b":0}"#),
            ("{\"token\":12", "{\"token\":0"),
            // Escapes in names and values.
            (#"{"t\u006fken":"x"}"#, #"{"t\u006fken":"<redacted>"}"#), (#"{"to\"ken":"x"}"#, #"{"to\"ken":"x"}"#),
            (#"{"token":"x\\","a":"y"}"#, #"{"token":"<redacted>","a":"y"}"#),
            (#"{"a\u00":1,"token":"x"}"#, #"{"a\u00":1,"token":"<redacted>"}"#),
            // Without a closing quotation mark, a line break ends the text.
            ("\"odd\n{\"token\":\"x\"}", "\"odd\n{\"token\":\"<redacted>\"}"),
            ("{\"token\":\"x\n\"a\":\"y\"", "{\"token\":\"<redacted>\"\n\"a\":\"y\""),
            ("{\"token\":\"", "{\"token\":\"<redacted>\""), ("{\"token\":\"\\", "{\"token\":\"<redacted>\""),
            ("\"", "\""),
            ("\"\\", "\"\\"), ("", ""),
        ] as [(String, String)])
    func onlyTheValuesOfSensitiveNamesAreHidden(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
        #expect(shown(expected) == expected)
    }

    @Test(
        arguments: [
            (#"{"a":"https://u:p@h/"}"#, #"{"a":"https://<redacted>@h/"}"#),
            (#"{"a":"https:\/\/u:p@h\/"}"#, #"{"a":"https://<redacted>@h/"}"#),
            (#"{"a":"/x?token=s"}"#, #"{"a":"/x?token=<redacted>"}"#),
            (#"{"a":"?token=s"}"#, #"{"a":"?token=<redacted>"}"#),
            (#"{"a":"/x;token=s"}"#, #"{"a":"/x;token=<redacted>"}"#),
            (#"{"a":"/x#token=s"}"#, #"{"a":"/x#token=<redacted>"}"#),
            (#"{"a":"\/x?token=s"}"#, #"{"a":"/x?token=<redacted>"}"#),
            (#"{"a":"\u003ftoken=s"}"#, #"{"a":"?token=<redacted>"}"#),
            (#"{"a":"x?token=s"}"#, #"{"a":"x?token=s"}"#), (#"{"a":"see /x?token=s"}"#, #"{"a":"see /x?token=s"}"#),
            (#"{"a":"{\"token\":\"s\"}"}"#, #"{"a":"{\"token\":\"<redacted>\"}"}"#),
            (#"{"a":" [{\"token\":1}]"}"#, #"{"a":" [{\"token\":0}]"}"#),
            (#"{"a":"x{\"token\":1}"}"#, #"{"a":"x{\"token\":1}"}"#), (#"{"a":"{}"}"#, #"{"a":"{}"}"#),
            (#"{"a":" "}"#, #"{"a":" "}"#),
            (#"["https://h/"]"#, #"["https://h/"]"#), (#"["a:/b@"]"#, #"["a:/b@"]"#),
        ] as [(String, String)])
    func secretsInTextsThatAreURLsOrJSONAreHidden(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
        #expect(shown(expected) == expected)
    }

    @Test(
        arguments: [
            (#"{"a":"https://h/?token=se"#, #"{"a":"https://h/?token=<redacted>"#),
            (#"{"a":"/x?token=se\"#, #"{"a":"/x?token=<redacted>"#),
            (#"{"a":"/x?token=se\u00"#, #"{"a":"/x?token=<redacted>"#),
            (#"{"a":"/x?token=s\u0041"#, #"{"a":"/x?token=<redacted>"#),
            (#"{"a":"/x?token=s\n"#, #"{"a":"/x?token=s\n"#), (#"{"a":"/x?a=s"#, #"{"a":"/x?a=s"#),
            (#"{"a":"{\"token\":\"s"#, #"{"a":"{\"token\":\"<redacted>\""#),
            (#"{"a":"{\"token\":1\"#, #"{"a":"{\"token\":0"#),
            (#"{"a":"\/x?token=s\/"#, #"{"a":"/x?token=<redacted>"#),
            (#"{"a":"\/x?to\u006ben=s"#, #"{"a":"/x?token=<redacted>"#),
            ("{\"a\":\"/x?token=se\nx", "{\"a\":\"/x?token=se\nx"),
        ] as [(String, String)])
    func aTextThatIsCutIsReadToItsLastWholeCharacter(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
    }

    @Test func rulesForPathsAreLookedForInURLsWithoutOtherParts() {
        let text = #"{"a":"https://h/reset/s","b":"/reset/s","c":"x/reset/s"}"#
        #expect(shown(text) == text)
        #expect(
            shown(text) { $0.pathRules = [.after("reset")] }
                == #"{"a":"https://h/reset/<redacted>","b":"/reset/<redacted>","c":"x/reset/s"}"#)
    }

    @Test func aMarkStandsOnlyForAWholeText() {
        func marking(_ policy: inout RedactionPolicy) {
            policy.markKey = RedactionPolicy.MarkKey([UInt8](repeating: 7, count: 16))
        }
        let mark = shown(#"{"token":"x"}"#, marking)
        #expect(mark.wholeMatch(of: /\{"token":"<redacted:[0-9a-f]{8}>"\}/) != nil)
        #expect(shown(#"{"token":"\u0078"}"#, marking) == mark)
        #expect(shown(#"{"token":"y"}"#, marking) != mark)
        #expect(shown(#"{"token":"x"#, marking) == #"{"token":"<redacted>""#)
        #expect(shown(#"{"token":"\ud800"}"#, marking).contains("<redacted:"))
        #expect(shown(mark, marking) == mark)
    }

    @Test func jsonInXMLHasItsMarkupEscaped() {
        #expect(shown(#"{"token":"x"}"#, isInXML: true) == #"{"token":"&lt;redacted&gt;"}"#)
        #expect(
            shown(#"{"a":"/x?b=1&amp;token=s"}"#, isInXML: true) == #"{"a":"/x?b=1&amp;token=&lt;redacted&gt;"}"#)
    }

    @Test func secretTextsAreToldFromOtherEdits() {
        let text = Array(#"{"token":"x","url":"/?token=y","pin":1}"#.utf8)
        let edits = JSONRedaction.edits(in: text, policy: .safeDefault)
        #expect(edits.map(\.isSecret) == [true, false, false])
        #expect(edits.map { String(decoding: text[$0.range], as: UTF8.self) } == [#""x""#, #""/?token=y""#, "1"])
    }

    @Test func aPlaceholderIsQuotedAsItMustBe() {
        #expect(shown(#"{"token":"x"}"#) { $0.placeholder = "a\"/b" } == #"{"token":"a\"/b"}"#)
    }
}

@Suite struct BodyEditTests {
    private let edits: [BodyEdit] = [
        BodyEdit(range: 2..<4, replacement: Array("wxyz".utf8)), BodyEdit(range: 6..<9, replacement: []),
    ]

    @Test func editsAreMadeInOrder() {
        #expect(String(decoding: edits.applied(to: Array("0123456789".utf8)), as: UTF8.self) == "01wxyz459")
        #expect(String(decoding: [BodyEdit]().applied(to: Array("01".utf8)), as: UTF8.self) == "01")
    }

    @Test(arguments: [(0, 0), (2, 2), (3, 6), (4, 6), (5, 7), (6, 8), (7, 8), (8, 8), (9, 8), (10, 9)] as [(Int, Int)])
    func placesMoveWithTheEditsBeforeThem(_ offset: Int, _ moved: Int) {
        #expect(edits.moved(offset) == moved)
    }
}

@Suite struct FormRedactionTests {
    @Test(
        arguments: [
            ("token=s", "token=%3Credacted%3E"), ("a=1&token=s&b=2", "a=1&token=%3Credacted%3E&b=2"),
            ("token", "token"),
            ("token=", "token=%3Credacted%3E"), ("&&token=s&", "&&token=%3Credacted%3E&"),
            ("to%6ben=s", "to%6ben=%3Credacted%3E"),
            ("a=b=token=s", "a=b=token=s"), ("url=%2Fx%3Ftoken%3Ds", "url=%2Fx%3Ftoken%3D%3Credacted%3E"), ("", ""),
            ("a=%7B%22token%22%3A1%7D", "a=%7B%22token%22%3A0%7D"), ("a=%7B%7D", "a=%7B%7D"), ("x=/a", "x=/a"),
            ("user[token]=s", "user[token]=%3Credacted%3E"), ("code=s", "code=%3Credacted%3E"),
        ] as [(String, String)])
    func valuesOfSensitiveFieldsAreHidden(_ text: String, _ expected: String) {
        let bytes = Array(text.utf8)
        let edits = FormRedaction.edits(in: bytes, policy: .safeDefault)
        #expect(String(decoding: edits.applied(to: bytes), as: UTF8.self) == expected)
    }

    @Test func theMarkOfAValueIsThatOfItsText() {
        var policy = RedactionPolicy.safeDefault
        policy.markKey = RedactionPolicy.MarkKey([UInt8](repeating: 7, count: 16))
        func edited(_ text: String) -> [String] {
            FormRedaction.edits(in: Array(text.utf8), policy: policy).map {
                String(decoding: $0.replacement, as: UTF8.self)
            }
        }
        #expect(edited("token=a+b") == edited("token=a%20b"))
        #expect(edited("token=a+b") != edited("token=ab"))
    }

    @Test(
        arguments: [
            ("https://h/?token=s", "https://h/?token=<redacted>"), ("/x?token=s", "/x?token=<redacted>"),
            ("?token=s", "?token=<redacted>"), ("x?token=s", nil), ("https:?token=s", nil),
            ("//h/?token=s", "//h/?token=<redacted>"),
            ("https://h/ x?token=s", nil), ("https://h/\u{1f}?token=s", nil),
            ("https://h/!?token=s", "https://h/!?token=<redacted>"),
            ("https://h/", nil), (#"{"token":"s"}"#, #"{"token":"<redacted>"}"#), (#" ["x"]"#, nil), ("", nil),
        ] as [(String, String?)])
    func aTextIsAURLOrJSONOrNeither(_ text: String, _ expected: String?) {
        #expect(RedactionPolicy.safeDefault.redactedText(text) == expected)
    }

    @Test(
        arguments: [
            ("application/x-www-form-urlencoded", "token=s", true),
            ("Application/X-WWW-Form-URLEncoded ; charset=utf-8", "token=s", true),
            ("text/plain", "token=s", false), (nil, "token=s", false), ("text/plain", #"{"token":"s"}"#, true),
            (nil, "<token>s</token>", true), ("text/plain", "<token>s</token>", true),
            (nil, " \u{feff}<token>s</token>", true),
            (nil, "1 < 2 \"token\":\"s\"", true), (nil, "<1 token='s'>", false),
            ("multipart/mixed; boundary=b", "--b\r\n\r\n{\"token\":1}\r\n--b--", true),
        ] as [(String?, String, Bool)])
    func theFormOfABodyIsFoundOut(_ type: String?, _ text: String, _ isEdited: Bool) {
        let edits = RedactionPolicy.safeDefault.edits(in: Array(text.utf8), contentType: type)
        #expect(!edits.isEmpty == isEdited)
        #expect(RedactionPolicy.disabled.edits(in: Array(text.utf8), contentType: type).isEmpty)
    }

    @Test func partsOfAFormAreHiddenByTheirNamesAndTypes() {
        func part(_ fields: String, _ body: String) -> String { "--b\r\n\(fields)\r\n\r\n\(body)\r\n" }
        let name = "Content-Disposition: form-data; name="
        let json = #"{"token":"s"}"#
        let text =
            part(name + "token", "s") + part(name + "a", json) + part(name + "b; filename=x", json)
            + part(name + "c; filename=x\r\nContent-Type: application/json", json)
            + part(name + "d; filename=x\r\nContent-Type: text/plain", json)
            + part(name + "e\r\nContent-Type: text/xml", "<token>s</token>")
            + part(name + "f\r\nContent-Type: a/b+xml", "<token>s</token>")
            + part(name + "g\r\nContent-Type: application/x-www-form-urlencoded", "token=s")
            + part(name + "h\r\nContent-Type: nonsense", json) + "--b--\r\n"
        let bytes = Array(text.utf8)
        let hidden = #"{"token":"<redacted>"}"#
        let expected =
            part(name + "token", "<redacted>") + part(name + "a", hidden) + part(name + "b; filename=x", json)
            + part(name + "c; filename=x\r\nContent-Type: application/json", hidden)
            + part(name + "d; filename=x\r\nContent-Type: text/plain", json)
            + part(name + "e\r\nContent-Type: text/xml", "<token>&lt;redacted&gt;</token>")
            + part(name + "f\r\nContent-Type: a/b+xml", "<token>&lt;redacted&gt;</token>")
            + part(name + "g\r\nContent-Type: application/x-www-form-urlencoded", "token=%3Credacted%3E")
            + part(name + "h\r\nContent-Type: nonsense", json) + "--b--\r\n"
        let edits = RedactionPolicy.safeDefault.edits(in: bytes, contentType: "multipart/form-data; boundary=b")
        #expect(String(decoding: edits.applied(to: bytes), as: UTF8.self) == expected)
    }
}

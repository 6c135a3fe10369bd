import Testing

@testable import NetCore

@Suite struct URITemplateSyntaxTests {
    private func error(_ text: String) -> URITemplateError? {
        do throws(URITemplateError) {
            _ = try URITemplate(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func everyByteOfALiteralIsChecked() throws {
        for byte in UInt8(0)..<128 where byte != UInt8(ascii: "{") {
            let text = "a\(Unicode.Scalar(byte))b"
            let hex = String(byte, radix: 16, uppercase: true)
            switch byte {
            case UInt8(ascii: "}"):
                #expect(error(text)?.code == .unbalancedBrace)
                #expect(error(text)?.position == 1)
            case UInt8(ascii: "%"):
                #expect(error(text)?.code == .invalidLiteral)
                #expect(error("%41") == nil)
            case 0...32, 127, 34, 60, 62, 92, 94, 96, 124:
                #expect(error(text)?.code == .invalidLiteral, "\(byte)")
                #expect(error(text)?.position == 1, "\(byte)")
                #expect(
                    error(text)?.message
                        == "the character 0x\(hex) isn't allowed in a URI; write %\(byte < 16 ? "0" : "")\(hex)")
            default: #expect(try URITemplate(text).expand([:]) == text, "\(byte)")
            }
        }
        #expect(try URITemplate("é{x}b").expand(["x": "1"]) == "%C3%A91b")
    }

    @Test func everyByteOfANameIsChecked() throws {
        for byte in UInt8(0)..<128 where !",}*:".utf8.contains(byte) {
            let scalar = Unicode.Scalar(byte)
            let isName = (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == 95 || byte == 46
            let isLetter = isName && !(byte == 0x40 || byte == 0x60 || (byte | 0x20) == 0x7b)
            #expect((error("{a\(scalar)b}") == nil) == isLetter, "\(byte)")
            if !isLetter {
                let shown =
                    byte > 32 && byte < 127 ? "\"\(scalar)\"" : "the byte 0x\(String(byte, radix: 16, uppercase: true))"
                #expect(error("{a\(scalar)b}")?.code == .invalidName)
                #expect(error("{a\(scalar)b}")?.position == 2)
                #expect(error("{a\(scalar)b}")?.message.hasSuffix("not \(shown)") == true)
            }
        }
        #expect(try URITemplate("{a%41.b_9}").variableNames == ["a%41.b_9"])
    }

    @Test(
        arguments: [
            ("{", URITemplateError.Code.unbalancedBrace, 0), ("a{", .unbalancedBrace, 1), ("{a", .unbalancedBrace, 0),
            ("{+", .unbalancedBrace, 0), ("{a,", .unbalancedBrace, 0), ("{a*", .unbalancedBrace, 0),
            ("{a:3", .unbalancedBrace, 0), ("{}", .invalidName, 1), ("{+}", .invalidName, 2),
            ("{,}", .unknownOperator, 1), ("{=a}", .unknownOperator, 1), ("{!a}", .unknownOperator, 1),
            ("{@a}", .unknownOperator, 1), ("{|a}", .unknownOperator, 1), ("{.}", .invalidName, 2),
            ("{a.}", .invalidName, 3), ("{a..b}", .invalidName, 3), ("{a,}", .invalidName, 3),
            ("{a:}", .invalidModifier, 2), ("{a:0}", .invalidModifier, 2), ("{a:01}", .invalidModifier, 2),
            ("{a:10000}", .invalidModifier, 2), ("{a:x}", .invalidModifier, 2), ("{a:3*}", .invalidModifier, 4),
            ("{a*:3}", .invalidName, 3), ("{a**}", .invalidName, 3), ("{a:/}", .invalidModifier, 2),
            ("{a::}", .invalidModifier, 2), ("{a%4}", .invalidName, 2), ("{%}", .invalidName, 1),
            ("{a b}", .invalidName, 2), ("{a:3 }", .invalidName, 4),
        ] as [(String, URITemplateError.Code, Int)])
    func mistakesAreToldWithTheirPlaces(_ text: String, _ code: URITemplateError.Code, _ position: Int) {
        #expect(error(text)?.code == code, "\(String(describing: error(text)))")
        #expect(error(text)?.position == position, "\(String(describing: error(text)))")
        #expect(error(text)?.description.hasPrefix("URI template, at byte \(position): ") == true)
    }

    @Test(
        arguments: [
            ("{x:1}", "a"), ("{x:3}", "a%2Fb"), ("{x:9999}", "a%2Fb%25412%F0%9F%98%80c"), ("{+x:5}", "a/b%412"),
            ("{+x:4}", "a/b%41"), ("{+x:6}", "a/b%412%F0%9F%98%80"), ("{x:4}", "a%2Fb%25"), ("{#x:2}", "#a/"),
            ("{x:8}", "a%2Fb%25412%F0%9F%98%80"), ("{x:9}", "a%2Fb%25412%F0%9F%98%80c"),
            ("{x}{y}", "a%2Fb%25412%F0%9F%98%80c"), ("{?y}", ""), ("{?l}", "?l=1,2"), ("{?l*}", "?l=1&l=2"),
            ("{;l*}", ";l=1;l=2"), ("{/l*}", "/1/2"), ("{.l*}", ".1.2"), ("{l*}", "1,2"), ("{&l}", "&l=1,2"),
            ("{#l*}", "#1,2"), ("{+p}", "k,v;,e,"), ("{p*}", "k=v%3B,e="),
            ("{?p*}", "?k=v%3B&e="), ("{;p*}", ";k=v%3B;e"), ("{?p}", "?p=k,v%3B,e,"), ("{?e}", "?e="), ("{;e}", ";e"),
            ("{&e}", "&e="), ("{/e}", "/"), ("{.e}", "."), ("{e}", ""), ("{#e}", "#"), ("{?n,e}", "?e="), ("{?n}", ""),
            ("{e,l}", ",1,2"), ("{/l,e}", "/1,2/"),
        ] as [(String, String)])
    func valuesAreExpandedByTheirStyle(_ text: String, _ expected: String) throws {
        let values: [String: URITemplate.Value?] = [
            "x": "a/b%412😀c", "l": ["1", "2"], "p": ["k": "v;", "e": ""], "e": "", "n": .list([]),
            "m": .pairs([(String, String)]()),
        ]
        #expect(try URITemplate(text).expand(values) == expected)
    }

    @Test func aLengthIsOnlyForTexts() throws {
        for value in [["1"], ["k": "v"]] as [URITemplate.Value] {
            let template = try URITemplate("ab{x:3}")
            let error = #expect(throws: URITemplateError.self) { try template.expand(["x": value]) }
            #expect(error?.code == .prefixOfList)
            #expect(error?.position == 3)
        }
        #expect(try URITemplate("{x:3}").expand(["x": .list([])]).isEmpty)
        let literals: [URITemplate.Value] = [1, 2.5, true]
        #expect(literals.map(\.content) == [.text("1"), .text("2.5"), .text("true")])
        #expect(try URITemplate("{a,b}{a}{c}").variableNames == ["a", "b", "c"])
    }

    @Test(
        arguments: [
            ("/a{?x}", "a", "x=1%262"), ("a/b", "a/b", ""), ("{x}:cancel", "1%262:cancel", ""), ("?a=b&c", "", "a=b&c"),
            ("a?", "a", ""), ("a?b=c=d&&%61=1", "a", "b=c=d&&%61=1"), ("//a", nil, nil), ("http://a", nil, nil),
            ("a:/b", "a:/b", ""), ("a#b", nil, nil), ("", "", ""), ("/?a", "", "a"),
            ("a//b", "a//b", ""), ("a?b//c", "a", "b//c"),
        ] as [(String, String?, String?)])
    func aTargetHasAPathAndAQuery(_ text: String, _ path: String?, _ query: String?) throws {
        let template = try URITemplate(text)
        guard let path else {
            let error = #expect(throws: NetError.self) { try template.target([:]) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.phase == .preparing)
            return
        }
        let target = try template.target(["x": "1&2"])
        #expect(target.path.encoded == path)
        #expect(target.query.encodedQuery == query)
        #expect(target.path.problem == nil)
    }

    @Test func aRequestAddsItsOwnItems() throws {
        let template = try URITemplate("a{?x}")
        let both = try Request(template, ["x": "1"], query: ["y": 2], serializer: .bytes)
        #expect(both.query.encodedQuery == "x=1&y=2")
        #expect(both.method == .get)
        let none = try Request(try URITemplate("a?"), [:], query: ["y": 2], serializer: .bytes)
        #expect(none.query.encodedQuery == "y=2")
        let mark = try Request(try URITemplate("a?"), [:], serializer: .bytes)
        #expect(mark.query.count == 1)
        #expect(mark.query.encodedQuery.isEmpty)
        #expect(throws: NetError.self) { try Request(try URITemplate("{x:1}"), ["x": ["1"]], serializer: .bytes) }
    }
}

@Suite struct OperationServerTests {
    private func resolved(_ url: String, _ base: BaseURL?, sends: Bool = false) throws -> String {
        try OperationServer(url, sendsCredentials: sends).resolved(against: base).urlText
    }

    @Test func serversAreResolvedAgainstTheBaseURL() throws {
        #expect(try resolved("/v2", "https://h/v1?k=1") == "https://h/v2?k=1")
        #expect(try resolved("v2", "https://h/v1/") == "https://h/v1/v2")
        #expect(try resolved("https://o/x", "https://h?k=1") == "https://o/x")
        #expect(try resolved("https://o/x", "https://h?k=1", sends: true) == "https://o/x?k=1")
        #expect(try resolved("https://h:443/x?a=b", "https://h?k=1") == "https://h:443/x?a=b&k=1")
        #expect(try resolved("https://h/x?", "https://h?k=1") == "https://h/x?k=1")
        #expect(try resolved("https://o/x", nil) == "https://o/x")
        #expect(try resolved("https://o/x", "nonsense") == "https://o/x")
    }

    @Test func unusableServerURLsAreReported() {
        for (url, base, reason) in [
            ("/v2", nil, "it is relative, and the client has no base URL"),
            ("/v2", "nonsense", "it is relative, and a URL must start with"),
            ("ftp://h", "https://h", "a URL must start with"),
        ] as [(String, BaseURL?, String)] {
            let error = #expect(throws: NetError.self) { try resolved(url, base) }
            #expect(error?.message.hasPrefix("the operation's server \"\(url)\" is not usable: \(reason)") == true)
            #expect(error?.code == .invalidRequest)
            #expect(error?.phase == .preparing)
        }
        #expect(OperationServer("https://u:SECRET@h").description == "https://<redacted>@h")
        let server: OperationServer = "/v2"
        #expect(!server.sendsCredentials)
        #expect(server.sendingCredentials().sendsCredentials)
        #expect(!server.sendingCredentials(false).sendsCredentials)
        #expect(server.sendingCredentials().url == "/v2")
    }

    @Test func serversAreChosenByTheirURL() {
        #expect(OperationServers.declared.isDeclared)
        #expect(OperationServers.declared.server(for: "/a")?.url == "/a")
        #expect(!OperationServers.baseURL.isDeclared)
        #expect(OperationServers.baseURL.server(for: "/a") == nil)
        let servers = OperationServers.replacing(["https://a/": "https://b", "/": "/r"])
        #expect(servers.server(for: "https://a")?.url == "https://b")
        #expect(servers.server(for: "https://a//")?.url == "https://b")
        #expect(servers.server(for: "https://c/")?.url == "https://c/")
        #expect(servers.server(for: "/")?.url == "/r")
        #expect(servers.server(for: "//")?.url == "/r")
        #expect(servers.server(for: "")?.url == "")
    }
}

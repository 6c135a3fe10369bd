import Testing

@testable import NetCore

@Suite struct AuthorityTests {
    @Test(
        arguments: [
            ("h", nil, "h", nil), ("h:80", nil, "h", "80"), ("h:", nil, "h", ""), ("u@h", "u", "h", nil),
            ("u:p@h:1", "u:p", "h", "1"), ("a@b@h", "a@b", "h", nil), ("@h", "", "h", nil),
            ("[::1]", nil, "[::1]", nil), ("[::1]:9", nil, "[::1]", "9"), (":80", nil, "", "80"), ("", nil, "", nil),
            ("a:b:c", nil, "a:b", "c"), (":", nil, "", ""),
        ] as [(String, String?, String, String?)])
    func itsPartsAreReadApart(_ text: String, _ user: String?, _ host: String, _ port: String?) {
        let authority = Authority(text)
        #expect(authority.userInformation == user)
        #expect(authority.host == host)
        #expect(authority.portText == port)
        #expect(authority.hostAndPort == (port.map { "\(host):\($0)" } ?? host))
    }

    @Test(
        arguments: [
            ("0", 0), ("80", 80), ("65535", 65_535), ("65536", nil), ("+1", nil), ("-1", nil), ("", nil), ("8a", nil),
            ("/1", nil), ("007", 7),
        ] as [(String, UInt16?)])
    func aPortHasDigits(_ text: String, _ port: UInt16?) {
        #expect(Authority("h:" + text).port == port)
        #expect(Authority("h:" + text).port(for: "https") == port ?? 443)
    }

    @Test func schemesHaveTheirPorts() {
        #expect(["http", "WS", "https", "Wss"].map { Authority("h").port(for: $0) } == [80, 80, 443, 443])
        #expect(Authority("h").port(for: "ftp") == nil)
        #expect(Authority("h:1").port(for: "ftp") == 1)
        var authority = Authority("h:80")
        authority.dropPort80()
        #expect(authority.hostAndPort == "h")
        var other = Authority("h:8080")
        other.dropPort80()
        #expect(other.hostAndPort == "h:8080")
    }

    @Test(
        arguments: [
            ("HTTP", "A.test:80", "http://a.test"), ("http", "a:443", "http://a:443"), ("https", "a:443", "https://a"),
            ("https", "a:80", "https://a:80"), ("https", "a:", "https://a"), ("ws", "a:80", "ws://a"),
            ("https", "[::1]:443", "https://[::1]"),
            ("https", "[::1]", "https://[::1]"), ("ftp", "a:21", "ftp://a:21"), ("ftp", "a:x", "ftp://a"),
            ("https", "a:0443", "https://a"),
        ] as [(String, String, String)])
    func anOriginHasNoDefaultPort(_ scheme: String, _ authority: String, _ origin: String) {
        #expect(Authority.origin(scheme: scheme, authority: authority) == origin)
        #expect(Authority("u@" + authority).origin(scheme: scheme) == origin)
    }

    @Test(
        arguments: [
            ("A.Test", "a.test"), ("a.", "a"), ("a..", "a."), ("[::1]", "::1"), ("", ""), (".", ""),
        ] as [(String, String)])
    func aNameHasNoBracketsAndNoRoot(_ host: String, _ name: String) {
        #expect(Authority(host).name == name)
    }

    @Test(
        arguments: [
            ("1.2.3.4", true), ("1", true), ("1.2.3.4.", true), ("[::1]", true), ("::1", true), ("a.1", true),
            ("a.0x1f", true), ("a.0xFA", true), ("0x", true), ("a.0x1g", false), ("a.0x/", false), ("a.0x:", true),
            ("a.0x@", false), ("a.0x`", false),
            ("a", false), ("1.a", false), ("a.1b", false), ("", false), (".", false), ("1.2..", false), ("a.:", true),
            ("a./", false), ("a.9", true), ("a.0", true),
        ] as [(String, Bool)])
    func anAddressEndsInANumber(_ host: String, _ isAddress: Bool) {
        #expect(Authority.isAddress(host) == isAddress, "\(host)")
    }

    @Test(
        arguments: [
            ("127.0.0.1", true), ("127.0.0.0", true), ("127.255.255.255", true), ("127.0.0.256", false),
            ("127.0.0", false),
            ("127.0.0.1.1", false), ("127.0.0.01", false), ("127.0.0.00", false), ("127.0.0.", false),
            ("127..0.1", false),
            ("126.0.0.1", false), ("127.0.0./", false), ("127.0.0.:", false), ("127.0.0.-1", false),
            ("127.0.0.+1", false),
            ("LOCALHOST.", true), ("a.localhost", true), ("localhost.a", false), ("[::1]", true), ("[::2]", false),
        ] as [(String, Bool)])
    func thisMachineHasItsAddresses(_ host: String, _ isLoopback: Bool) {
        #expect(Authority(host).isLoopback == isLoopback)
    }
}

@Suite struct HostAndPortTests {
    @Test(
        arguments: [
            ("h", "h", nil), ("h:0", "h", 0), ("h:65535", "h", 65_535), ("[::1]", "[::1]", nil),
            ("[::1]:1", "[::1]", 1),
            ("[a.F%0]", "[a.F%0]", nil), ("a_b", "a_b", nil), ("é", "é", nil),
        ] as [(String, String, Int?)])
    func aHostMayHaveAPort(_ text: String, _ host: String, _ port: Int?) {
        let parsed = HostAndPort(text)
        #expect(parsed?.host == host)
        #expect(parsed?.port == port)
    }

    @Test(
        arguments: [
            "", ":1", "h:", "h:65536", "h:x", "h:+1", "u@h", "[]", "[:]", "[::1", "::1]", "[::g]", "[::/]", "[::`]",
            "[::@]", "[:1", "a:b:1", "a b", "a\u{7f}", "a\u{20}",
        ] as [String])
    func anythingElseIsNone(_ text: String) {
        #expect(HostAndPort(text) == nil, "\(text)")
    }

    @Test func everyByteOfAHostIsChecked() {
        for byte in UInt8(0)..<128 where byte != UInt8(ascii: "@") {
            let text = "a\(Unicode.Scalar(byte))b"
            let isPlain = byte > 32 && byte != 127 && !"/?#@\\<>\"'`{}|^[]:".utf8.contains(byte)
            #expect((HostAndPort(text) != nil) == isPlain, "\(byte)")
            let isHex = (48...57).contains(byte) || (97...102).contains(byte | 0x20)
            #expect(
                (HostAndPort("[:\(Unicode.Scalar(byte)):]") != nil) == (isHex || ":.%".utf8.contains(byte)), "\(byte)")
        }
        #expect(HostAndPort("[::]") != nil)
        #expect(HostAndPort("[:]") == nil)
    }
}

@Suite struct BaseURLEdgesTests {
    private func problem(_ text: String) -> String? { BaseURL(unchecked: text).problem }

    @Test(
        arguments: [
            ("http://h", "http", "h", "", "/", false), ("HTTPS://h/", "https", "h", "", "/", false),
            ("ws://h/a/", "http", "h", "/a", "/a/", true), ("WSS://h/a//?b=c", "https", "h", "/a", "/a//?b=c", true),
            ("http://h:/a", "http", "h", "/a", "/a", false),
            ("http://h?", "http", "h", "", "/?", false), ("http://h/a?#f", "http", "h", "/a", "/a?", false),
            ("http://h/a#?x", "http", "h", "/a", "/a", false), ("http://h/a?b#c", "http", "h", "/a", "/a?b", false),
            ("http://h//", "http", "h", "", "//", false),
            ("http://[::1]:/x", "http", "[::1]", "/x", "/x", false), ("http://[::1]", "http", "[::1]", "", "/", false),
            ("http://h:80?a?b", "http", "h:80", "", "/?a?b", false),
            ("http://h/a;b", "http", "h", "/a;b", "/a;b", false),
        ] as [(String, String, String, String, String, Bool)])
    func itsPartsAreReadApart(
        _ text: String, _ scheme: String, _ authority: String, _ path: String, _ target: String, _ isWebSocket: Bool
    ) throws {
        let url = try BaseURL(text)
        #expect(url.scheme == scheme)
        #expect(url.authority == authority)
        #expect(url.path == path)
        #expect(url.target == target)
        #expect(url.isWebSocket == isWebSocket)
        #expect(url.description == "\(scheme)://\(authority)\(path)")
        #expect(url.urlText == "\(scheme)://\(authority)\(target)")
        #expect(try BaseURL(url) == url)
    }

    @Test(
        arguments: [
            "", "h", "ftp://h", "httpx://h", "htt://h", "http:/h", "http//h", "xs://h", "wsx://h", "httq://h", "://h",
            "http:", "hhhp://h", "wst://h", "httpt://h", "a b://h",
        ] as [String])
    func otherSchemesAreRefused(_ text: String) {
        let start = text.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
        #expect(problem(text) == "a URL must start with http:// or https://, this one starts with \"\(start)\"")
        #expect(!BaseURL(unchecked: text).isWebSocket)
    }

    @Test func onlyTheBeginningOfAnotherSchemeIsShown() {
        #expect(
            problem("a-b.c1" + String(repeating: "x", count: 40))?.hasSuffix(
                "\"a-b.c1\(String(repeating: "x", count: 18))\"") == true)
    }

    @Test(
        arguments: [
            ("http://u@h", "the URL contains a user"), ("http://", "the URL has no host"),
            ("http:///a", "the URL has no host"), ("http://:80", "the URL has no host"),
            ("http://[::1", "the URL's host has an opening bracket"), ("http://h:65536", "the URL's port isn't"),
            ("http://h:x", "the URL's port isn't"), ("http://h:/1", nil), ("http://h:9", nil), ("http://h:09", nil),
            ("http://h:65535", nil),
            ("http://h:0", nil),
            ("http://h:99999999999999999999999", "the URL's port isn't"), ("http://h:1/", nil),
            ("http://[::g]", "the URL's host \"[::g]\" isn't an IPv6 address"),
            ("http://[]", "the URL's host \"[]\" isn't a valid host name"),
            ("http://[:]", "the URL's host \"[:]\" isn't a valid host name"), ("http://[::]", nil),
            ("http://[::1]x", "the URL's host \"[::1]x\" isn't a valid host name"), ("http://[1.2.3.4:Ff]:1", nil),
            ("http://a:b:1", "the URL's host \"a:b\" isn't a valid host name"),
            ("http://h:;", "the URL's port isn't"), ("http://h:\u{2f}", nil), ("http://h/@", nil),
            ("http://h/a b", "the URL has the character U+20, "), ("http://h/é", "the URL has the character U+E9, "),
            ("http://é", "the URL has the character U+E9, "), ("http://h/\u{7f}", "the URL has the character U+7F, "),
        ] as [(String, String?)])
    func problemsAreTold(_ text: String, _ start: String?) {
        #expect(
            start == nil ? problem(text) == nil : problem(text)?.hasPrefix(start ?? "") == true,
            "\(problem(text) ?? "-")")
    }

    @Test func everyByteIsCheckedWhereItStands() {
        for byte in UInt8(0)..<128 {
            let scalar = Unicode.Scalar(byte)
            if !"/?#@:".utf8.contains(byte) {
                let isBad = byte <= 32 || byte == 127 || "\"<>\\[]%,;=&|^`{}".utf8.contains(byte)
                #expect((problem("http://a\(scalar)b") != nil) == isBad, "host \(byte)")
            }
            if byte != UInt8(ascii: "#") {
                #expect(
                    (problem("http://h/\(scalar)") != nil)
                        == (byte <= 32 || byte == 127 || "\"<>\\".utf8.contains(byte)), "path \(byte)")
            }
            let isAddress =
                (48...58).contains(byte) || byte == 46 || (65...70).contains(byte) || (97...102).contains(byte)
            if !"/?#@[]".utf8.contains(byte) {
                #expect((problem("http://[::\(scalar)]") == nil) == isAddress, "address \(byte)")
            }
        }
    }

    @Test func aURLWithAProblemHidesItsSecrets() {
        let url = BaseURL(unchecked: "http://u:SECRET@h/x")
        #expect(url.problem != nil)
        #expect(!url.description.contains("SECRET"))
        #expect(!url.urlText.contains("SECRET"))
        let text = "http://u:SECRET@h/x"
        #expect(throws: NetError.self) { try BaseURL(text) }
    }
}

@Suite struct PercentEncodingEdgesTests {
    private static let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    @Test(
        arguments: [
            (PercentEncoding.Allowed.unreserved, "-._~"), (.reserved, "-._~:/?#[]@!$&'()*+,;=%"),
            (.query, "-._~:/?@!$&'()*+,;=%"), (.path, "-._~:/@!$&'()*+,;=%"), (.form, "-._*"),
        ] as [(PercentEncoding.Allowed, String)])
    func everyByteOfASetStays(_ allowed: PercentEncoding.Allowed, _ others: String) {
        let kept = Set((Self.letters + others).utf8)
        for byte in UInt8.min ... .max { #expect(allowed.contains(byte) == kept.contains(byte), "\(byte)") }
    }

    @Test func bytesAreWrittenInCapitals() {
        for byte in UInt8(0)..<128 where !(Self.letters + "-._~").utf8.contains(byte) {
            let hex = String(byte, radix: 16, uppercase: true)
            let expected = "%\(byte < 16 ? "0" : "")\(hex)"
            #expect(PercentEncoding.encode(String(Unicode.Scalar(byte))) == expected)
            #expect(PercentEncoding.decode(expected) == String(Unicode.Scalar(byte)))
            #expect(PercentEncoding.decode(expected.lowercased()) == String(Unicode.Scalar(byte)))
        }
        #expect(PercentEncoding.encode("é€") == "%C3%A9%E2%82%AC")
        #expect(PercentEncoding.encode("").isEmpty)
        var bytes: [UInt8] = []
        PercentEncoding.appendEscaped(0xaf, to: &bytes)
        #expect(bytes == Array("%AF".utf8))
    }

    @Test(
        arguments: [
            ("a%41b", "aAb", "a%41b"), ("%4", "%4", "%254"), ("%", "%", "%25"), ("%g1", "%g1", "%25g1"),
            ("%1g", "%1g", "%251g"), ("%%41", "%A", "%25%41"), ("%4%41", "%4A", "%254%41"), ("a+b", "a+b", "a+b"),
            ("%/0", "%/0", "%25/0"), ("%:0", "%:0", "%25:0"), ("%@0", "%@0", "%25@0"),
            ("%a0", "\u{fffd}", "%a0"), ("%Ff", "\u{fffd}", "%Ff"), ("%`0", "%`0", "%25%600"), ("%G0", "%G0", "%25G0"),
            ("%00", "\0", "%00"), ("%99", "\u{fffd}", "%99"),
        ] as [(String, String, String)])
    func escapesStayWhereTheyAreKept(_ text: String, _ decoded: String, _ kept: String) {
        #expect(PercentEncoding.decode(text) == decoded)
        #expect(PercentEncoding.encode(text, allowing: .reserved) == kept)
        #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
    }

    @Test func formsWriteSpacesAsPlus() {
        #expect(PercentEncoding.formEncode("a b+c~*é") == "a+b%2Bc%7E*%C3%A9")
        #expect(PercentEncoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
        #expect(PercentEncoding.decode("a+b") == "a+b")
        var text = "x"
        PercentEncoding.append("a b", allowing: .unreserved, to: &text)
        PercentEncoding.append("c", allowing: .unreserved, to: &text)
        #expect(text == "xa%20bc")
        #expect(PercentEncoding.isEscape(Array("%aF".utf8)))
        #expect(!PercentEncoding.isEscape(Array("%a".utf8)))
        #expect(!PercentEncoding.isEscape(Array("xaF".utf8)))
    }
}

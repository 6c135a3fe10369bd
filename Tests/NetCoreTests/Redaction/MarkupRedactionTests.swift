import HTTPTypes
import TestSupport
import Testing

@testable import NetCore

@Suite struct MarkupRedactionTests {
    private func shown(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let edits = XMLRedaction.edits(in: bytes, policy: .safeDefault)
        return String(decoding: edits.applied(to: bytes), as: UTF8.self).replacing("&lt;redacted&gt;", with: "***")
    }

    @Test(
        arguments: [
            ("<a>", true), ("<A", true), ("<z", true), ("<Z", true), ("<_a>", true), ("<:a>", true), ("</a>", true),
            ("<!-- ", true),
            ("<?xml", true), ("<é>", true), (" \n\u{feff}<a>", true), ("<", false), ("<1>", false), ("<`", false),
            ("<{", false),
            ("<@", false), ("<[", false), ("a<b>", false), ("", false), (" ", false), ("!<a>", false),
        ] as [(String, Bool)])
    func markupBeginsWithATag(_ text: String, _ isXML: Bool) {
        #expect(XMLRedaction.mayBeXML(Array(text.utf8)) == isXML)
    }

    @Test(
        arguments: [
            // Elements.
            ("<token>x</token>", "<token>***</token>"), ("<a><token>x</token>y</a>", "<a><token>***</token>y</a>"),
            ("<s:token>x</s:token>", "<s:token>***</s:token>"), ("<token:a>x</token:a>", "<token:a>x</token:a>"),
            ("<a:>x</a:>", "<a:>x</a:>"),
            ("<token> \n</token>", "<token> \n</token>"), ("<token>!</token>", "<token>***</token>"),
            ("<token></token>", "<token></token>"),
            ("<token/>x", "<token/>x"), ("<token />x", "<token />x"), ("<token a='b'/>x", "<token a='b'/>x"),
            ("<token><b>x</b>y</token>z", "<token><b>***</b>***</token>z"),
            ("<token><b/>y</token>z", "<token><b/>***</token>z"),
            ("<token>x</token></token><token>y</token>", "<token>***</token></token><token>***</token>"),
            ("</a></a>x<token>y", "</a></a>x<token>***"),
            ("<token>a<1>b</token>", "<token>***</token>"), ("<token>a < b</token>c", "<token>***</token>c"),
            ("<token>", "<token>"),
            ("<token>x&lt;y</token>", "<token>***</token>"), ("<a token>x</a>", "<a token>x</a>"),
            // Attributes.
            ("<a token=\"x\" b='y'>z</a>", "<a token=\"***\" b='y'>z</a>"),
            ("<a b='y' token = 'x'/>", "<a b='y' token = '***'/>"),
            ("<a token=''/>", "<a token=''/>"), ("<a token=x b='y'>", "<a token=x b='y'>"),
            ("<a token='x\"y'>", "<a token='***'>"),
            ("<token b='y'>x</token>", "<token b='y'>***</token>"),
            ("<token><a b='y'/></token>", "<token><a b='***'/></token>"),
            ("<a n:token='x'/>", "<a n:token='***'/>"), ("<a token:n='x'/>", "<a token:n='x'/>"),
            ("<a 'x' token='y'>", "<a 'x' token='***'>"),
            ("<a token\t=\n'x'>", "<a token\t=\n'***'>"), ("<a token='x", "<a token='***"),
            ("<a <token='x'>", "<a <token='***'>"),
            ("<a b='1'token='x'>", "<a b='1'token='***'>"), ("<a / token='x'>y", "<a / token='***'>y"),
            ("<a token='>'>x", "<a token='***'>x"),
            // URLs and JSON.
            ("<a href='/x?b=1&amp;token=y'/>", "<a href='/x?b=1&amp;token=***'/>"),
            ("<a href='/x?b=1'/>", "<a href='/x?b=1'/>"),
            ("<a>{\"token\":\"x\"}</a>", "<a>{\"token\":\"***\"}</a>"),
            ("<a>{'token':'x'}</a>", "<a>{'token':'x'}</a>"),
            ("<a>1</a><a>{\"pin\":1,\"pin\":2}</a>", "<a>1</a><a>{\"pin\":0,\"pin\":0}</a>"),
            ("{\"pin\":1}<a>", "{\"pin\":0}<a>"),
            // Not elements.
            ("<!-- <token>x</token> -->y", "<!-- <token>x</token> -->y"),
            ("<!-- > --><token>x", "<!-- > --><token>***"),
            ("<!--<token>x", "<!--<token>x"),
            ("<?token x?>y", "<?token x?>y"), ("<?a?><token>x", "<?a?><token>***"), ("<!token x>y", "<!token x>y"),
            ("<!a><token>x", "<!a><token>***"),
            ("<a><![CDATA[{\"pin\":1}]]></a>", "<a><![CDATA[{\"pin\":0}]]></a>"),
            ("<token><![CDATA[x]]>y</token>z", "<token><![CDATA[***]]>***</token>z"),
            ("<token><![CDATA[ ]]></token>", "<token><![CDATA[ ]]></token>"),
            ("<![CDATA[<token>x]]><token>y", "<![CDATA[<token>x]]><token>***"),
            ("<token><![CDATA[x", "<token><![CDATA[***"), ("<token><![CDATA[x]]", "<token><![CDATA[***"),
            ("<token></token>x<!", "<token></token>x<!"),
            // Scripts.
            ("<script>if(a<b){s={\"pin\":1}}</script><token>x", "<script>if(a<b){s={\"pin\":0}}</script><token>***"),
            ("<scripts>{\"pin\":1<b}</scripts>", "<scripts>{\"pin\":0<b}</scripts>"),
            ("<script>{\"pin\":1", "<script>{\"pin\":0"),
        ] as [(String, String)])
    func onlyWhatBelongsToSensitiveNamesIsHidden(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
    }

    @Test func entitiesAreReadAndWritten() {
        #expect(XMLRedaction.escaped("a&<>\"'b") == "a&amp;&lt;&gt;&quot;&apos;b")
        #expect(XMLRedaction.unescaped("&lt;&gt;&quot;&apos;&amp;lt;&x;") == "<>\"'&lt;&x;")
        #expect(XMLRedaction.unescaped("a<") == "a<")
    }
}

@Suite struct URLRedactionTests {
    private let policy = RedactionPolicy.safeDefault

    /// The decoded value of a parameter is redacted, even if its encoding hides it from a simple search.
    @Test(
        arguments: [
            ("https://h/?a=%40&token=s", "https://h/?a=%40&token=<redacted>"),
            ("https://h/?next=h%3Fa%3D1%26token%3Ds", "https://h/?next=h%3Fa%3D1%26token%3D%3Credacted%3E"),
            ("https://h/?next=h%253Ftoken%253Ds", "https://h/?next=h%3Ftoken%3D%3Credacted%3E"),
            ("https://h/?next=h%23token%3Ds", "https://h/?next=h%23token%3D%3Credacted%3E"),
            ("https://h/?next=h%2523token%253Ds", "https://h/?next=h%23token%3D%3Credacted%3E"),
            ("https://h/?next=h%3btoken%3Ds", "https://h/?next=h%3Btoken%3D%3Credacted%3E"),
            ("https://h/?next=h%253Btoken%253Ds", "https://h/?next=h%3Btoken%3D%3Credacted%3E"),
            ("https://h/?next=h%3ftoken%3Ds", "https://h/?next=h%3Ftoken%3D%3Credacted%3E"),
            ("https://h/?next=x%3A%2F%2Fu%40h", "https://h/?next=x%3A%2F%2F%3Credacted%3E%40h"),
            ("https://h/?next=x%3a//u%40h", "https://h/?next=x%3A%2F%2F%3Credacted%3E%40h"),
            ("https://h/?next=x://u@h", "https://h/?next=x%3A%2F%2F%3Credacted%3E%40h"),
            ("https://h/?next=x%253A%252F%252Fu%2540h", "https://h/?next=x%3A%2F%2F%3Credacted%3E%40h"),
            ("https://h/?next=a%3Fb%25253Dc", "https://h/?next=a%3Fb%25253Dc"),
            ("https://h/?a=b?token=s", "https://h/?a=b?token=<redacted>"),
            ("https://h/?a=b#token=s", "https://h/?a=b#token=<redacted>"),
            ("https://h/?a;token=s", "https://h/?a;token=<redacted>"), ("#token=s", "#token=<redacted>"),
            ("?=s&token=s", "?=s&token=<redacted>"), ("?token", "?token"), ("?token=", "?token=<redacted>"),
            ("?a=token=s", "?a=token=s"), ("?a=&token=s", "?a=&token=<redacted>"),
            ("?0token=s", "?0token=<redacted>"), ("?t=1&PIN=s", "?t=1&PIN=<redacted>"), ("?a=1&", "?a=1&"),
            ("?a+token=s", "?a+token=<redacted>"),
            (#"?a={"pin":1}"#, "?a=%7B%22pin%22%3A0%7D"), (#"?a= {"pin":1}"#, "?a=%20%7B%22pin%22%3A0%7D"),
            (#"?a=[{"pin":1}]"#, "?a=%5B%7B%22pin%22%3A0%7D%5D"),
            (#"?a=+{"pin":1}"#, "?a=%20%7B%22pin%22%3A0%7D"),
            (#"?a=%7B"pin":1}"#, "?a=%7B%22pin%22%3A0%7D"),
            (#"?b=1&a={"pin":1}&c=2"#, "?b=1&a=%7B%22pin%22%3A0%7D&c=2"),
            ("?a={}", "?a={}"),
        ] as [(String, String)])
    func secretsInQueriesAreHidden(_ url: String, _ expected: String) {
        #expect(policy.redact(url: url) == expected)
        #expect(policy.redact(url: expected) == expected)
    }

    @Test(
        arguments: [
            ("http://u@h", "http://<redacted>@h"), ("http:/u@h", "http:/<redacted>@h"),
            ("http:\\u@h", "http:\\<redacted>@h"), ("http:u@h", "<redacted>@h"),
            ("u@h", "<redacted>@h"), ("//u@h", "//<redacted>@h"), ("/u@h", "/<redacted>@h"), ("@h", "<redacted>@h"),
            ("http://h/@x", "http://h/@x"), ("h/@x", "h/@x"),
            ("http://u:p@h?a=1", "http://<redacted>@h?a=1"), ("http://h?u@x", "http://h?u@x"),
            ("http://h:80/u@x", "http://h:80/u@x"), ("http://h:8a/u@x", "http://<redacted>@x"),
            ("http://h:/u@x", "http://h:/u@x"), ("http://h:9/u@x", "http://h:9/u@x"), ("http://h:0/@", "http://h:0/@"),
            ("http://h:x/y", "http://h:x/y"), ("http://[::1]/u@x", "http://[::1]/u@x"),
            ("http://h:/?a=@", "http://h:/?a=@"), ("http://h:a?b@c", "http://<redacted>@c"),
            ("http://h:a#b@c", "http://<redacted>@c"), ("http://u:p/q@h/x?y#z", "http://<redacted>@h/x?y#z"),
            ("http://u:p\\q@h", "http://<redacted>@h"), ("http://a@b@c/x@y", "http://<redacted>@c/x@y"), ("a:", "a:"),
            ("a:/", "a:/"), ("", ""), ("@", "<redacted>@"), ("//", "//"), ("/", "/"), (":@", "<redacted>@"),
        ] as [(String, String)])
    func theUserOfAURLIsHidden(_ url: String, _ expected: String) {
        #expect(policy.redact(url: url) == expected)
        #expect(policy.redact(url: expected) == expected)
    }

    @Test(
        arguments: [
            ("/a;token=s/b", "/a;token=<redacted>/b"), ("/a;token=s\\b", "/a;token=<redacted>\\b"),
            ("/a;x;token=s;y=1", "/a;x;token=<redacted>;y=1"), ("/a;", "/a;"),
            ("/a;token", "/a;token"), (";token=s", ";token=<redacted>"), ("/a;b=/token=s", "/a;b=/token=s"),
        ] as [(String, String)])
    func parametersOfPathsAreHidden(_ path: String, _ expected: String) {
        #expect(policy.redact(url: path) == expected)
        #expect(policy.redact(url: "http://h" + path) == "http://h" + expected)
    }

    @Test func fieldsWithURLsAreRedactedAsSuch() {
        for name in ["Location", "Content-Location", "Referer", "Link", "Refresh"] {
            #expect(
                policy.redact([.init(name) ?? .accept: "/x?token=s"]).first?.value == "/x?token=<redacted>", "\(name)")
        }
        #expect(policy.redact([.accept: "/x?token=s"]).first?.value == "/x?token=s")
    }
}

@Suite struct PathRuleEdgesTests {
    private func shown(_ segment: String, _ rule: RedactionPolicy.PathRule = .credentials) -> String {
        var policy = RedactionPolicy.safeDefault
        policy.pathRules = [rule]
        return policy.redact(url: "/a/" + segment)
    }

    @Test func aLongTokenOfLettersAndDigitsIsACredential() {
        let letters = String(repeating: "a", count: 31)
        for (segment, isHidden) in [
            (letters + "1", true), (letters, false), (letters.dropLast() + "1", false), (letters + "a", false),
            (letters + "z9", true), (letters + "Z0", true),
            (String(repeating: "1", count: 31) + "a", true), (String(repeating: "1", count: 31) + "-", false),
            (letters + "1" + "-._~+=", true), (letters + "1!", false),
            ("12345678-1234-1234-1234-1234567890ab", false), ("12345678-1234-1234-1234-1234567890AB", false),
            ("12345678-1234-1234-1234-1234567890ag", true),
            ("12345678-1234-1234-12345-234567890ab", true), ("1234567a-1234-1234-1234-1234567890a", true),
            ("1234567--1234-1234-1234-1234567890ab", true),
            ("12345678-1234-1234-1234-1234567890ab0", true), ("eyJ.eyJ.x", true), ("eyJ.eyJ.", true),
            ("eyJ.eyJ", false), ("eyJ.eyJ.x.y", false), ("eyJ.x.y", false), ("x.eyJ.y", false),
            ("eyJ.eyJ.!", false),
        ] as [(String, Bool)] {
            #expect(shown(segment) == (isHidden ? "/a/<redacted>" : "/a/" + segment), "\(segment)")
        }
    }

    @Test(
        arguments: [
            ("{x}", "/a/b", "/a/b"), ("a/{x}", "/a/b", "/a/<redacted>"), ("/a/{x}", "/a/b", "/a/<redacted>"),
            ("/a/{x}", "/a", "/a"), ("/a/{x}", "/a/b/c", "/a/b/c"),
            ("/a/{x*}", "/a/b/c", "/a/<redacted>/<redacted>"), ("/a/{x*}/c", "/a/b/d", "/a/<redacted>/<redacted>"),
            ("/{x}/b", "/a/b", "/<redacted>/b"), ("/{x}/c", "/a/b", "/a/b"),
            ("/a/x}", "/a/b", "/a/b"), ("/a/{x", "/a/b", "/a/b"), ("/%61/{x}", "/a/b", "/a/<redacted>"),
            ("/a/{x}/", "/a/b/", "/a/<redacted>/"), ("/a/{x}", "/a/", "/a/"),
        ] as [(String, String, String)])
    func templatesHideTheirParameters(_ template: String, _ path: String, _ expected: String) {
        var policy = RedactionPolicy.safeDefault
        policy.pathRules = [.template(template)]
        #expect(policy.redact(url: path) == expected)
        #expect(policy.redact(url: "http://h" + path) == "http://h" + expected)
    }

    @Test func aNameIsThatOfTheSegmentBefore() {
        #expect(shown("b", .after("A")) == "/a/<redacted>")
        #expect(shown("b/c", .after("b")) == "/a/b/<redacted>")
        #expect(shown("b", .after("b")) == "/a/b")
        #expect(shown("a", .after("a")) == "/a/<redacted>")
        #expect(shown("%3Credacted%3E", .after("x")) == "/a/<redacted>")
    }
}

@Suite struct MarkEdgesTests {
    private var policy: RedactionPolicy {
        var policy = RedactionPolicy.safeDefault
        policy.markKey = RedactionPolicy.MarkKey((0..<16).map(UInt8.init))
        return policy
    }

    @Test(
        arguments: [
            ("<redacted>", true), ("<redacted:0123abcd>", true), ("<redacted:09afaf09>", true),
            ("<redacted:0123abc>", false), ("<redacted:0123abcde>", false),
            ("<redacted:0123abcg>", false), ("<redacted:0123abcD>", false), ("<redacted:0123abc/>", false),
            ("<redacted:0123abc`>", false), ("<redacted:0123abc:>", false),
            ("redacted", false), ("<redacted:0123abcd", false), ("xredacted:0123abcd>", false), ("", false),
            ("<redacted:0123abcd)", false),
        ] as [(String, Bool)])
    func aValueThatIsHiddenIsRecognized(_ text: String, _ isHidden: Bool) {
        #expect(policy.isHidden(text) == isHidden)
        #expect(policy.hidden(text) != text || isHidden)
        if isHidden { #expect(policy.hidden(text) == text) }
    }

    @Test func aMarkIsTheUpperHalfOfTheHash() {
        // The key of the reference: the bytes 0 to 15. The hash of no bytes is 726fdb47dd0e0e31.
        #expect(policy.hidden("") == "<redacted:726fdb47>")
        #expect(policy.hidden([UInt8]()) == Array("<redacted:726fdb47>".utf8))
        #expect(RedactionPolicy.safeDefault.hidden("x") == "<redacted>")
        #expect(policy.withoutMarks.hidden("x") == "<redacted>")
        #expect(policy.withoutMarks == .safeDefault)
        let random = Locked<UInt64>(0)
        let counting = NetRandom {
            random.change { $0 += 1 }
            return random.value
        }
        #expect(
            RedactionPolicy.MarkKey(random: counting)
                == RedactionPolicy.MarkKey([1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]))
        #expect(RedactionPolicy.MarkKey([UInt8](repeating: 0, count: 17)) == nil)
    }

    @Test func theSchemeOfACredentialIsNoPartOfItsMark() {
        let secret = policy.hidden("secret")
        #expect(policy.hidden(header: "Bearer secret", named: "authorization") == secret)
        #expect(policy.hidden(header: "Basic   secret", named: "proxy-authorization") == secret)
        #expect(policy.hidden(header: "secret", named: "authorization") == secret)
        #expect(policy.hidden(header: "Bearer secret", named: "x-api-key") != secret)
        #expect(RedactionPolicy.safeDefault.hidden(header: "Bearer secret", named: "authorization") == "<redacted>")
    }
}

@Suite struct TerminalTextTests {
    @Test func controlCharactersAreShownAsDots() {
        let single: Set<UInt32> = [0x61c, 0xfeff, 0xfff9, 0xfffa, 0xfffb]
        let neighbors = [0x61b, 0x61d, 0xfefe, 0xff00, 0xfff8, 0xfffc] as [UInt32]
        for value in Array(0..<0x200) + Array(0x2000..<0x2080) + Array(single) + neighbors {
            let isControl =
                value < 0x20 || (0x7f..<0xa0).contains(value) || (0x200b...0x200f).contains(value)
                || (0x2028...0x202e).contains(value) || (0x2060...0x206f).contains(value) || single.contains(value)
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(Array(TerminalText.clean(String(scalar)).unicodeScalars) == [isControl ? "·" : scalar], "\(value)")
        }
    }

    @Test(
        arguments: [
            ("", 0), ("a", 1), ("é", 1), ("\u{10ff}", 1), ("\u{1100}", 2), ("漢", 2), ("…", 1), ("\u{2025}", 2),
            ("\u{2027}", 2), ("\u{24ff}", 2), ("\u{2500}", 1),
            ("\u{259f}", 1), ("\u{25a0}", 2), ("\u{2712}", 2), ("\u{2713}", 1), ("\u{2718}", 1), ("\u{2719}", 2),
            ("a漢b", 4),
        ] as [(String, Int)])
    func theWidthIsThatOfATerminal(_ text: String, _ columns: Int) {
        #expect(TerminalText.columns(text) == columns)
    }

    @Test(
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 2, "a…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
            ("abcdef", -1, ""), ("漢漢漢", 6, "漢漢漢"),
            ("漢漢漢", 5, "漢漢…"), ("漢漢漢", 4, "漢…"), ("", 0, ""), ("a", 1, "a"),
        ] as [(String, Int, String)])
    func aTextIsCutToItsWidth(_ text: String, _ limit: Int, _ expected: String) {
        #expect(TerminalText.cut(text, to: limit) == expected)
        let fitted = TerminalText.fit(text, to: limit)
        #expect(fitted.hasPrefix(expected))
        #expect(TerminalText.columns(fitted) == max(0, limit))
        #expect(TerminalText.fit("ab", to: 4) == "ab  ")
    }

    @Test(
        arguments: [
            (0 as Int64, "0 B"), (1, "1 B"), (999, "999 B"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"),
            (999_949, "999.9 kB"), (999_950, "1.0 MB"),
            (20_000_000, "20.0 MB"), (5_000_000_000, "5.0 GB"), (7_000_000_000_000, "7.0 TB"),
            (8_000_000_000_000_000, "8.0 PB"), (.max, "9.2 EB"), (-5, "-5 B"),
        ] as [(Int64, String)])
    func bytesAreCountedForPeople(_ count: Int64, _ text: String) {
        #expect(TerminalText.bytes(count) == text)
    }
}

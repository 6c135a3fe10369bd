import Testing

@testable import NetSocketCore

/// `Sec-WebSocket-Extensions` as a list (RFC 6455 section 9.1, RFC 9110 section 5.6).
struct ExtensionOfferTests {
    private func offer(_ name: String, _ parameters: [(String, String?)] = []) -> ExtensionOffer {
        ExtensionOffer(name: name, parameters: parameters.map { (name: $0.0, value: $0.1) })
    }

    @Test func aFieldIsReadAsItsElements() {
        #expect(ExtensionOffer.list(nil) == [])
        let cases: [(String, [ExtensionOffer])] = [
            ("", []), (" \t ", []), (",", []), (" , ,, ", []), ("a", [offer("a")]), (" A\t", [offer("a")]),
            ("a,b", [offer("a"), offer("b")]), (", a ,, b ,", [offer("a"), offer("b")]),
            ("a;B", [offer("a", [("b", nil)])]), ("a ;\tb = C ; d", [offer("a", [("b", "C"), ("d", nil)])]),
            ("a;b=c;b=d, e;f", [offer("a", [("b", "c"), ("b", "d")]), offer("e", [("f", nil)])]),
            ("a;b=\"C\"", [offer("a", [("b", "C")])]), ("a;b=\"\\1\\0\";c", [offer("a", [("b", "10"), ("c", nil)])]),
            ("a;b=\"x\\yz\"", [offer("a", [("b", "xyz")])]), ("a;b= \"c\" ,d", [offer("a", [("b", "c")]), offer("d")]),
            ("09azAZ!#$%&'*+-.^_`|~", [offer("09azaz!#$%&'*+-.^_`|~")]),
        ]
        for (field, offers) in cases { #expect(ExtensionOffer.list(field) == offers, "\(field)") }
    }

    @Test(arguments: [
        ";", "a;", "a;;b", "a b", "a=b", "a;b=", "a;b=,c", "a;=b", "a;b c", "a;b=\"", "a;b=\"\"", "a;b=\"c",
        "a;b=\"c d\"",
        "a;b=\"\\", "a;b=\"\\\"", "a;b=\"\\ \"", "a;b=\"c\"d", "\"a\"", "ä", "a/b", "a:b", "a@b", "a[b", "a{b",
        "a\u{0}",
        "a\u{7F}", "a,;b", "(a)",
    ])
    func malformedHeadersAreRejected(field: String) {
        #expect(ExtensionOffer.list(field) == nil)
    }

    @Test func offersAreEqualIfAllOfThemIs() {
        let one = offer("a", [("b", "c"), ("d", nil)])
        #expect(one == offer("a", [("b", "c"), ("d", nil)]))
        for other in [
            offer("x", [("b", "c"), ("d", nil)]), offer("a", [("b", "c")]), offer("a", [("b", "c"), ("d", "")]),
            offer("a", [("b", "x"), ("d", nil)]), offer("a", [("d", nil), ("b", "c")]), offer("a"),
        ] { #expect(one != other) }
    }
}

import NetCore
import Testing

@Suite struct HostTests {
    @Test(
        arguments: [
            ("a", "a", nil), ("a.b:80", "a.b", 80), ("127.0.0.1:1", "127.0.0.1", 1), ("[::1]", "[::1]", nil),
            ("[::1]:443", "[::1]", 443), ("a:0", "a", 0), ("*:443", "*", 443), ("a:65535", "a", 65_535),
            ("a:", nil, nil),
            ("", nil, nil), (":80", nil, nil), ("a:65536", nil, nil), ("a:b", nil, nil), ("a:-1", nil, nil),
            ("a:1:2", nil, nil),
            ("::1", nil, nil), ("[::1", nil, nil), ("[]", nil, nil), ("[x]", nil, nil), ("a b", nil, nil),
            ("a/b", nil, nil),
            ("u@a", nil, nil), ("a\nb", nil, nil), ("a:99999999999999999999", nil, nil),
        ] as [(String, String?, Int?)]) func aHostAndItsPort(text: String, host: String?, port: Int?)
    {
        let parsed = HostAndPort(text)
        // The empty port of RFC 3986 isn't accepted either.
        #expect(parsed?.host == host)
        #expect(parsed?.port == port)
    }

    @Test(arguments: [
        ("Example.COM", "example.com"), ("example.com.:80", "example.com"), ("u:p@a:1", "a"),
        ("[FE80::1]:80", "fe80::1"),
    ]) func theHostThatRulesAreComparedWith(authority: String, key: String) {
        #expect(Authority(authority).name == key)
    }

    @Test func theClosestRuleCounts() {
        let table = HostTable<Int>([("*", 0), ("*.a.b", 2), ("*.b", 1), ("C.a.b", 3), ("[::1]", 4), ("FE80::1", 5)])
        let expected = ["x": 0, "b": 0, "a.b": 1, "x.a.b": 2, "c.a.b": 3, "xa.b": 1, "::1": 4, "fe80::1": 5]
        for (host, value) in expected { #expect(table.value(for: host) == value, "\(host)") }
        #expect(HostTable<Int>([("a", 1)]).value(for: "b") == nil)
        #expect(HostTable<Int>([]).isEmpty)
        #expect(!table.isEmpty)
        #expect(Set(table.values) == [0, 1, 2, 3, 4, 5])
    }

    @Test func theDotOfTheRootChangesNoRule() {
        let table = HostTable<Int>([("*.a.b.", 1), ("c.", 2)])
        #expect(table.value(for: "x.a.b") == 1)
        #expect(table.value(for: "c") == 2)
    }
}

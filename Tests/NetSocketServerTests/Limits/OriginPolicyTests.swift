#if Server
import NetSocketServer
import Testing

@Suite struct OriginPolicyTests {
    @Test(arguments: [
        ("https://example.com", "example.com", true), ("http://example.com", "example.com", true),
        ("https://example.com", "EXAMPLE.com", true), ("HTTPS://Example.com", "example.com", true),
        ("https://example.com", "example.com:443", true), ("https://example.com:443", "example.com", true),
        ("http://example.com:80", "example.com", true), ("http://example.com", "example.com:80", true),
        ("http://localhost:3000", "localhost:3000", true), ("https://example.com:8443", "example.com:8443", true),
        ("http://[::1]:8080", "[::1]:8080", true),
        ("https://example.com", "example.com:8443", false), ("https://example.com:8443", "example.com", false),
        ("http://example.com:443", "example.com", false), ("http://example.com", "example.com:443", false),
        ("https://evil.com", "example.com", false), ("https://example.com.evil.com", "example.com", false),
        ("https://evilexample.com", "example.com", false), ("https://sub.example.com", "example.com", false),
        ("null", "null", false), ("null", "example.com", false), ("", "example.com", false),
        ("example.com", "example.com", false),
        ("https://example.com/", "example.com", false), ("https://example.com/x", "example.com", false),
        ("https://a@example.com", "example.com", false),
        ("https://example.com, https://evil.com", "example.com", false),
        ("https://evil.com https://example.com", "example.com", false), ("file://example.com", "example.com", false),
        ("chrome-extension://example.com", "example.com", false), ("https://example.com", "", false),
        ("https://example.com#example.com", "example.com", false), ("https:///example.com", "example.com", false),
        ("https://example.com:99999", "example.com:99999", false), ("https://example.com.", "example.com", false),
    ]) func `The same origin has the host and the port of the server`(
        _ origin: String, _ host: String, _ expected: Bool
    ) {
        #expect(OriginPolicy.sameOrigin.allows(origin: origin, host: host) == expected)
    }

    @Test func `Without a host, no page is of the same origin`() {
        #expect(!OriginPolicy.sameOrigin.allows(origin: "https://example.com", host: nil))
    }

    @Test(arguments: [
        ("https://example.com", true), ("https://example.com:443", true), ("https://EXAMPLE.com", true),
        ("http://example.com", false), ("https://example.com:8443", false), ("http://localhost:3000", true),
        ("http://localhost:3001", false), ("https://a.example.org", true), ("https://a.b.example.org", true),
        ("https://example.org", false), ("https://.example.org", false), ("https://aexample.org", false),
        ("http://a.example.org", false), ("https://a.example.org:8443", false), ("https://a.example.net:8443", true),
        ("https://a.example.net", false), ("chrome-extension://abcdef", true), ("null", false), ("", false),
        ("https://a.example.org.evil.com", false), ("https://evil.com/.example.org", false),
        ("https://evil.com?.example.org", false), ("https://evil.com\\.example.org", false),
        ("https://evil.com,x.example.org", false), ("https://*.example.org", false), ("https://own.example", false),
    ]) func `A list has exact origins and wildcards`(_ origin: String, _ expected: Bool) {
        let policy = OriginPolicy.list([
            "https://example.com", "http://localhost:3000", "https://*.example.org", "https://*.example.net:8443",
            "chrome-extension://abcdef",
        ])
        #expect(policy.allows(origin: origin, host: "own.example") == expected)
        #expect(policy.invalid.isEmpty)
    }

    @Test func `null is allowed only where it is listed`() {
        #expect(OriginPolicy.list(["null"]).allows(origin: "null", host: "example.com"))
        #expect(!OriginPolicy.list(["null"]).allows(origin: "https://example.com", host: "example.com"))
        #expect(OriginPolicy.any.allows(origin: "null", host: nil))
    }

    @Test func `Entries that aren't origins match nothing and are told`() {
        let wrong = ["example.com", "*", "https://*", "https://example.com/", "https://a.*.com", "*.example.com", ""]
        let policy = OriginPolicy.list(wrong)
        #expect(policy.invalid == wrong)
        for origin in wrong + ["https://example.com", "https://a.b.com"] {
            #expect(!policy.allows(origin: origin, host: "example.com"))
        }
    }

    @Test func `Damage at any place makes no trap, and no other site's origin the own one`() {
        let bytes = Array("https://chat.example.com:8443".utf8)
        let policy = OriginPolicy.list(["https://*.example.com:8443"])
        for offset in 0...bytes.count {
            for byte in ":/.,@[]*?#\u{0}\u{80}".utf8 {
                for damaged in [
                    bytes[..<offset] + [byte] + bytes[offset...],
                    bytes[..<offset] + [byte] + bytes[offset...].dropFirst(),
                    bytes[..<offset],
                ] {
                    let text = String(decoding: damaged, as: UTF8.self)
                    // Only the part before the host's last labels may differ.
                    if policy.allows(origin: text, host: nil) { #expect(text.hasSuffix(".example.com:8443")) }
                    if OriginPolicy.sameOrigin.allows(origin: text, host: "chat.example.com:8443") {
                        #expect(damaged.elementsEqual(bytes))
                    }
                }
            }
        }
    }

    @Test func `Programs without an origin are allowed by default`() {
        for policy in [OriginPolicy.sameOrigin, .list([]), .any] { #expect(policy.allows(origin: nil, host: nil)) }
        for var policy in [OriginPolicy.sameOrigin, .list([])] {
            policy.allowsMissing = false
            #expect(!policy.allows(origin: nil, host: "example.com"))
        }
    }
}
#endif

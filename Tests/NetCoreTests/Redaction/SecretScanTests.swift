import Foundation
import Testing

@testable import NetCore

/// The first line of a private key; put together here, so that the repository contains none.
private func begin(_ label: String = "") -> String { "-----BEGIN \(label)PRIVATE " + "KEY-----" }

/// Values that show by themselves that they are secrets, and values that only look similar.
@Suite struct SecretScanTests {
    private static let token = "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T"
    private static let hex = "0123456789abcdef0123456789abcdef"
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"

    /// Tokens are put together here, so that none stands in the repository.
    static let secrets: [String] = [
        jwt, "eyJhbGciOiJSU0EtT0FFUCJ9.a1.b2.c3.d4", "AKI" + "A0123456789ABCDEF", "ASI" + "AQWERTYUIOPASDFGH",
        "gh" + "p_" + token, "github" + "_pat_" + token, "gl" + "pat-" + "abcdefgh-ijklmnop", "xox" + "b-" + token,
        "sk_" + "live_" + token, "sk-" + "proj-" + token, "sk-" + token, "AI" + "za" + token,
        "SG" + "." + token + "." + token,
        "np" + "m_" + token, "hf" + "_" + token, "dop" + "_v1_" + hex, "shp" + "at_" + hex, "hv" + "s." + token,
        "ya2" + "9." + token, "GOC" + "SPX-" + token, "whsec" + "_" + token, "dckr" + "_pat_" + token,
        "123456789:" + "AA" + token.prefix(33),
    ]

    static let harmless: [String] = [
        "", "1234567", "12345678", "3f9a21c4-5d2e-4f6a-9b8c-0d1e2f3a4b5c", "d41d8cd98f00b204e9800998ecf8427e",
        hex + hex,
        #""33a64df551425fcc55e4d42a148795d9f25f89d4""#, "W/\"a1b2c3d4e5f6\"", "application/vnd.github.v3+json",
        "https://example.com/users/@ada", "git@github.com:ada/repo.git", "mailto:ada@example.com",
        "ssh://git@example.com/repo", "user:password", "Bearer authentication is used", "a bearer token",
        "Bearer OAuth2.0",
        "Bearer realm=\"service12\"", "Bearer access_token", "Basic authentication", "Basic subscription",
        "eyJpZCI6MTIzNDU2Nzg5MH0=", "eyJhbGciOiJIUzI1NiJ9", "eyJhbGciOiJIUzI1NiJ9.x", "AKIA", "AKIAIOSFODNN7EXAMPL",
        "AKIAiosfodnn7example", "AROA0123456789ABCDEF", "npm_config_registry", "npm_lifecycle_event", "sk-SK",
        "sk" + "-learn-something-very-long-without-digits", "sk" + "-2024-annual-report-of-the-company",
        "hf_transfer_enabled_now",
        "secret_santa_list", "pk_live_" + token, "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----", "image/png;base64,AAAA" + token + "+" + token,
        "a/AIza" + token + "/b", "https://hooks.slack.com/", "https://discord.com/channels/1/2", "12345678:30",
        "postgres://localhost:5432/db", "http://host:8080/@scope/package@1.2.3", "re_" + "3Mabc123def456ghi789jkl01",
    ]

    private func shown(_ text: String) -> String { RedactionPolicy.safeDefault.hidingValues(in: text) }

    @Test(arguments: secrets) func aSecretIsHiddenWhereverItStands(secret: String) {
        #expect(shown(secret) == "<redacted>")
        #expect(shown("bad key \(secret).") == "bad key <redacted>.")
        #expect(shown("key=\(secret)&a=1") == "key=<redacted>&a=1")
        #expect(shown(#"{"a":"\n\#(secret)","b":1}"#) == #"{"a":"\n<redacted>","b":1}"#)
        #expect(shown("a%3D\(secret)%26b") == "a%3D<redacted>%26b")
        #expect(shown(#"a\u003d\#(secret)\u0026b"#) == #"a\u003d<redacted>\u0026b"#)
        #expect(shown("<a>\(secret)</a>") == "<a><redacted></a>")
        #expect(
            shown("short words of a text, \(secret) and \(secret)")
                == "short words of a text, <redacted> and <redacted>")
        #expect(RedactionPolicy.disabled.hidingValues(in: secret) == secret)
        var policy = RedactionPolicy.safeDefault
        policy.hidesRecognizedValues = false
        #expect(policy.hidingValues(in: secret) == secret)
    }

    @Test(arguments: harmless) func anythingElseIsShown(text: String) {
        #expect(shown(text) == text)
        #expect(shown("before \(text) after") == "before \(text) after")
        #expect(shown("a=\(text)&b=1") == "a=\(text)&b=1")
    }

    @Test(
        arguments: [
            ("Authorization: Bearer a1b2c3d4", "Authorization: Bearer <redacted>"),
            ("bearer%20a1b2c3d4e5", "bearer%20<redacted>"),
            ("bad key Bearer ab+/cd12345678==, sorry", "bad key Bearer <redacted>, sorry"),
            (#"{"m":"Bearer s3cret-token-1"}"#, #"{"m":"Bearer <redacted>"}"#),
            ("Bearer abcdefghijklmnopqrstuvwxyzabcdefgh", "Bearer <redacted>"),
            ("Authorization: Basic YWRhOmh1bnRlcjI=", "Authorization: Basic <redacted>"),
            ("https://ada:hunter2@example.com/x", "https://<redacted>@example.com/x"),
            (
                "see redis://:pw@h:6379, or postgres://u:p@ss@h/db",
                "see redis://<redacted>@h:6379, or postgres://<redacted>@h/db"
            ),
            (#"{"u":"https:\/\/ada:hunter2@h"}"#, #"{"u":"https:\/\/<redacted>@h"}"#),
            ("https://hooks.slack.com/services/T0/B0/abc", "https://hooks.slack.com/services/<redacted>"),
            ("https://discord.com/api/webhooks/1/abc-d", "https://discord.com/api/webhooks/<redacted>"),
            (
                "a \(begin("RSA "))\nMIIB+/==\n-----END RSA PRIVATE KEY----- b",
                "a <redacted> b"
            ),
            (
                #"{"k":"\#(begin())\nMIIB\n-----END PRIVATE KEY-----\n","b":1}"#,
                #"{"k":"<redacted>\n","b":1}"#
            ),
            (#"{"k":"x\n\#(begin())\nMIIB"}"#, #"{"k":"x\n<redacted>"}"#),
            ("\(begin())\nMIIB", "<redacted>"),
            (#"<a b="\#(begin())&#10;MIIB&amp;#10;"/>"#, #"<a b="<redacted>"/>"#),
            ("Basic%20YWRhOmh1bnRlcjI=", "Basic%20<redacted>"),
            (
                "?k=\(begin().replacing(" ", with: "%20"))%0AMIIB%0A-----END%20PRIVATE%20KEY-----&b=1",
                "?k=<redacted>&b=1"
            ),
            ("k=\(begin().replacing(" ", with: "+"))%0AMIIB&b=1", "k=<redacted>&b=1"),
        ] as [(String, String)])
    func onlyTheSecretPartIsHidden(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
        #expect(shown(expected) == expected)
    }

    @Test func aLongTextIsReadOnce() {
        // Words of Base64 text without a scheme in front: none leads to a search from its beginning.
        let words = String(repeating: "abcdefghij/klmnopqrst+", count: 20_000)
        #expect(shown(words) == words)
        let users = String(repeating: "a:b@", count: 20_000)
        #expect(shown(users) == users)
        #expect(shown("Bearer \(words)1") == "Bearer <redacted>")
    }

    /// A long text is read only as far as it is shown, whatever stands at the limit.
    @Test(arguments: [0, 1, 100, 8192, 20_000, Int.max]) func theBeginningOfALongTextIsSearched(limit: Int) {
        let policy = RedactionPolicy.safeDefault
        let token = Self.jwt + String(repeating: "x", count: 9000)
        for place in [0, 50, 95, 8180, 8191, 19_990, 40_000] {
            let text =
                String(repeating: "a ", count: place / 2) + "\(token) and \(token) "
                + String(repeating: "b ", count: 30_000)
            let shown = policy.hidingValues(in: text, upToBytes: limit).prefix(upToBytes: limit)
            #expect(shown == policy.hidingValues(in: text).prefix(upToBytes: limit))
        }
    }

    @Test func everyPartOfATextMayBeItsEnd() {
        let text =
            "see https://ada:pw@h and Bearer a1b2c3d4 and \(Self.jwt) \(begin())\nMIIB\n-----END"
        for length in 0...text.utf8.count {
            let part = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            let once = shown(part)
            #expect(shown(once) == once)
        }
    }

    @Test func headersAndURLsAreSearchedToo() {
        let policy = RedactionPolicy.safeDefault
        let headers = policy.redact(["X-Note": "was \(Self.jwt)", .eTag: "\"d41d8cd98f00b204e9800998ecf8427e\""])
        #expect(headers["X-Note"] == "was <redacted>")
        #expect(headers[.eTag] == "\"d41d8cd98f00b204e9800998ecf8427e\"")
        #expect(policy.redact(url: "https://h/a/\(Self.jwt)?x=\(Self.jwt)") == "https://h/a/<redacted>?x=<redacted>")
        #expect(
            policy.redact(url: "https://h/a?x=https%3A%2F%2Fu%3Ap%40h")
                == "https://h/a?x=https%3A%2F%2F%3Credacted%3E%40h")
    }
}

/// The prefixes of vendors, as a table that is searched by the first byte.
@Suite struct VendorTokenTests {
    @Test func everyTokenIsFoundByItsFirstByte() {
        let tokens = VendorToken.byFirstByte.joined()
        #expect(tokens.count > 150)
        for token in tokens {
            #expect(token.prefix.first.map { VendorToken.mayBegin(with: $0) } == true)
            #expect(token.prefix.count + token.minimum >= VendorToken.shortest)
        }
        #expect(!VendorToken.mayBegin(with: UInt8(ascii: "-")))
        #expect(!VendorToken.mayBegin(with: 0xe2))
    }
}

import NetCore
import Testing

struct PathRuleTests {
    private func shown(_ url: String, _ rules: RedactionPolicy.PathRule...) -> String {
        var policy = RedactionPolicy.safeDefault
        policy.pathRules = Set(rules)
        let once = policy.redact(url: url)
        #expect(policy.redact(url: once) == once)
        return once
    }

    @Test(arguments: [
        ("https://h/reset/SECRET", "https://h/reset/<redacted>"),
        ("https://h/a/Reset/SECRET/b?page=2", "https://h/a/Reset/<redacted>/b?page=2"),
        ("https://u:SECRET@h:80/res%65t/SECRET#x", "https://<redacted>@h:80/res%65t/<redacted>#x"),
        ("/reset/SECRET?token=SECRET", "/reset/<redacted>?token=<redacted>"),
        ("//reset/a/reset/SECRET", "//reset/a/reset/<redacted>"), ("https://reset/a", "https://reset/a"),
        ("https://h/reset/", "https://h/reset/"), ("https://h/reset", "https://h/reset"),
        ("https://h/resets/a", "https://h/resets/a"), ("reset/SECRET", "reset/<redacted>"),
    ])
    func theSegmentAfterANamedOneIsHidden(_ url: String, _ expected: String) {
        #expect(shown(url, .after("reset")) == expected)
    }

    @Test(arguments: [
        ("https://h/invites/SECRET/accept", "https://h/invites/<redacted>/accept"),
        ("https://h/inv%69tes/SECRET/accept?x=1", "https://h/inv%69tes/<redacted>/accept?x=1"),
        ("https://h/invites/a/reject", "https://h/invites/a/reject"),
        ("https://h/invites/a/accept/b", "https://h/invites/a/accept/b"), ("https://h/invites", "https://h/invites"),
        ("https://h/hooks/SECRET/SECRET", "https://h/hooks/<redacted>/<redacted>"),
    ])
    func templateParametersAreRedacted(_ url: String, _ expected: String) {
        #expect(shown(url, .template("/invites/{code}/accept"), .template("hooks/{rest*}")) == expected)
    }

    @Test(arguments: [
        ("https://h/v/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln/x", "https://h/v/<redacted>/x"),
        ("https://h/v/0123456789abcdef0123456789abcdef", "https://h/v/<redacted>"),
        ("https://h/v/%3Credacted%3E", "https://h/v/<redacted>"),
        ("https://h/v/123e4567-e89b-12d3-a456-426614174000", "https://h/v/123e4567-e89b-12d3-a456-426614174000"),
        ("https://h/a-rather-long-name-made-of-words-alone", "https://h/a-rather-long-name-made-of-words-alone"),
        ("https://h/12345678901234567890123456789012", "https://h/12345678901234567890123456789012"),
        ("https://0123456789abcdef0123456789abcdef.h/", "https://0123456789abcdef0123456789abcdef.h/"),
    ])
    func credentialLikeSegmentsAreRedacted(_ url: String, _ expected: String) {
        #expect(shown(url, .credentials) == expected)
    }

    @Test func withoutRulesThePathStaysAsItIs() {
        #expect(shown("https://h/reset/a//b/?x=1") == "https://h/reset/a//b/?x=1")
        #expect(RedactionPolicy.disabled.redact(url: "/reset/a") == "/reset/a")
    }
}

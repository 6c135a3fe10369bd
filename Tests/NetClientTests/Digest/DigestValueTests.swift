import NetCore
import Testing

@testable import NetClient

/// The contents of a challenge, and the requests that its credentials apply to.
@Suite struct DigestValueTests {
    private func challenge(_ parameters: String) -> DigestChallenge? {
        AuthChallenge.list("Digest " + parameters).first.flatMap { DigestChallenge($0) }
    }

    private func made(_ realm: String, _ nonce: String, _ more: String = "") throws -> DigestChallenge {
        try #require(challenge("realm=\"\(realm)\", nonce=\"\(nonce)\"" + more))
    }

    @Test func eachParameterIsRead() throws {
        let bare = try made("r", "n")
        #expect(bare.algorithm == .md5)
        #expect(bare.algorithmText == nil)
        #expect(!bare.isSession)
        #expect(bare.protections.isEmpty)
        #expect(!bare.isStale)
        #expect(!bare.hashesUser)
        #expect(!bare.isUTF8)
        #expect(bare.opaque == nil)
        #expect(bare.domain.isEmpty)
        let full = try made(
            "r", "n",
            ", algorithm=sha-256-SESS, qop=\"auth,\tAUTH-INT foo\", stale=TRUE, userhash=True, charset=utf-8, "
                + "opaque=\"o\", domain=\"/a  /b\"")
        #expect(full.algorithm == .sha256)
        #expect(full.isSession)
        #expect(full.protections == [.authentication, .integrity])
        #expect(full.isStale)
        #expect(full.hashesUser)
        #expect(full.isUTF8)
        #expect(full.opaque == "o")
        #expect(full.domain == ["/a", "/b"])
        #expect("\(full)" == "Digest SHA-256-sess realm=\"r\"")
        #expect("\(bare)" == "Digest MD5 realm=\"r\"")
        let off = try made("r", "n", ", stale=false, userhash=false, charset=latin1, qop=\"\"")
        #expect(!off.isStale)
        #expect(!off.hashesUser)
        #expect(!off.isUTF8)
        #expect(off.protections.isEmpty)
    }

    @Test(arguments: [
        "realm=\"r\"", "nonce=\"n\"", "realm=r, nonce=n, algorithm=SHA-1", "realm=r, nonce=n, qop=\"else\"",
        "realm=r, nonce=n, algorithm=\"-sess\"",
    ])
    func unusableChallengesAreRejected(text: String) { #expect(challenge(text) == nil) }

    @Test func theOrderOfAlgorithmsIsTheirStrength() {
        #expect(DigestChallenge.Algorithm.md5 < .sha256)
        #expect(DigestChallenge.Algorithm.sha256 < .sha512256)
        #expect(!(DigestChallenge.Algorithm.sha256 < .sha256))
        for (offered, prefers, expected): (Set<DigestChallenge.Protection>, Bool, DigestChallenge.Protection?) in [
            ([], false, nil), ([.integrity], false, .integrity), ([.authentication], true, .authentication),
            ([.authentication, .integrity], false, .authentication), ([.authentication, .integrity], true, .integrity),
        ] {
            #expect(DigestChallenge.Protection.chosen(from: offered, prefersIntegrity: prefers) == expected)
        }
        #expect(DigestMiddleware(user: "a", password: "b").minimumAlgorithm == .md5)
        #expect(!DigestMiddleware(user: "a", password: "b").prefersIntegrity)
        #expect(!DigestMiddleware { _ in nil }.prefersIntegrity)
    }

    @Test func countsAndNoncesHaveTheirLimits() throws {
        #expect(DigestSpaces.maximumRealms == 16)
        #expect(DigestSpaces.maximumNonces == 64)
        var spaces = DigestSpaces(origin: "https://h.test")
        func count(_ nonce: String) throws -> UInt32 {
            spaces.challenged(try made("r", nonce), cnonce: "c").count
        }
        for number in 0..<64 { #expect(try count("n\(number)") == 1) }
        #expect(try count("n0") == 2)
        #expect(try count("n63") == 2)
        #expect(try count("n64") == 1, "the one that was new first had to go")
        #expect(try count("n1") == 2, "the one that was new first had to go")
        #expect(try count("n0") == 1)
    }

    @Test func soManyRealmsAreKnownAndTheFirstGoes() throws {
        var spaces = DigestSpaces(origin: "https://h.test")
        for number in 0..<16 { spaces.learned(try made("r\(number)", "n", ", domain=\"/\(number)/\""), cnonce: "c") }
        #expect(spaces.ticket(path: "/0/x", cnonce: "c")?.challenge.realm == "r0")
        let place = spaces.learned(try made("r16", "n", ", domain=\"/16/\""), cnonce: "c")
        #expect(place == 15)
        #expect(spaces.ticket(path: "/0/x", cnonce: "c") == nil)
        #expect(spaces.ticket(path: "/1/x", cnonce: "c")?.challenge.realm == "r1")
    }

    @Test func theSpaceWithTheLongestPathIsTaken() throws {
        var spaces = DigestSpaces(origin: "https://h.test")
        spaces.learned(try made("long", "n", ", domain=\"/a/b /z\""), cnonce: "c")
        spaces.learned(try made("short", "n", ", domain=\"/a\""), cnonce: "c")
        func realm(_ path: String) -> String? { spaces.ticket(path: path, cnonce: "c")?.challenge.realm }
        #expect(["/a/b/c", "/a/c", "/z", "/y"].map(realm) == ["long", "short", "long", nil])
        // Of several equal ones, the last one learned is used.
        spaces.learned(try made("other", "n", ", domain=\"/a\""), cnonce: "c")
        #expect(realm("/a/c") == "other")
        #expect(realm("/a/b/c") == "long")
        spaces.learned(try made("all", "n"), cnonce: "c")
        #expect(realm("/y") == "all")
        #expect(realm("/a/c") == "other")
    }

    @Test func onlyPathsOfTheOriginCount() throws {
        var spaces = DigestSpaces(origin: "https://h.test")
        spaces.learned(
            try made("r", "n", ", domain=\"https://h.test/in //h.test/too https://else.test/out https://h.test\""),
            cnonce: "c")
        func isKnown(_ path: String) -> Bool { spaces.ticket(path: path, cnonce: "c") != nil }
        #expect(isKnown("/in"))
        #expect(isKnown("/too"))
        #expect(isKnown("/"))
        var others = DigestSpaces(origin: "https://h.test")
        others.learned(try made("r", "n", ", domain=\"https://else.test/out /in\""), cnonce: "c")
        let known = ["/out", "/in", "/"].map { others.ticket(path: $0, cnonce: "c") != nil }
        #expect(known == [false, true, false])
    }

    @Test func onlyTheNonceOfTheTicketIsReplacedOrForgotten() throws {
        var spaces = DigestSpaces(origin: "https://h.test")
        let old = spaces.challenged(try made("r", "n1"), cnonce: "c")
        _ = spaces.challenged(try made("r", "n2"), cnonce: "c")
        spaces.renewed(old, nonce: "n3")
        spaces.refused(old)
        let found = spaces.ticket(path: "/", cnonce: "c")
        let current = try #require(found)
        #expect(current.challenge.nonce == "n2")
        #expect(current.count == 2)
        spaces.renewed(current, nonce: "n3")
        let later = spaces.ticket(path: "/", cnonce: "c")
        let next = try #require(later)
        #expect(next.challenge.nonce == "n3")
        #expect(next.count == 1)
        spaces.refused(next)
        #expect(spaces.ticket(path: "/", cnonce: "c") == nil)
    }
}

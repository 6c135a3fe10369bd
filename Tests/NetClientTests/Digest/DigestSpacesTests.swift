import HTTPTypes
import NetClient
import Testing

@testable import NetCore

@Suite struct DigestSpacesTests {
    private func challenge(_ realm: String = "r", nonce: String, _ more: String = "") throws -> DigestChallenge {
        let text = "Digest realm=\"\(realm)\", nonce=\"\(nonce)\", qop=\"auth\"\(more)"
        return try #require(AuthChallenge.list(text).first.flatMap { DigestChallenge($0) })
    }

    @Test func aNonceIsCountedFromOneAndUsedAgain() throws {
        var spaces = DigestSpaces(origin: "http://h")
        let ticket1 = spaces.ticket(path: "/", cnonce: "c")
        #expect(ticket1 == nil)
        let first = spaces.challenged(try challenge(nonce: "a"), cnonce: "c1")
        #expect(first.count == 1)
        #expect(first.cnonce == "c1")
        let foundSecond = spaces.ticket(path: "/x", cnonce: "c2")
        let second = try #require(foundSecond)
        #expect(second.count == 2)
        #expect(second.challenge.nonce == "a")
        #expect(second.cnonce == "c2")
        // Concurrent calls received several nonces; none is ever used twice with the same count.
        let ticket9 = spaces.challenged(try challenge(nonce: "b"), cnonce: "c")
        #expect(ticket9.count == 1)
        let ticket10 = spaces.challenged(try challenge(nonce: "a"), cnonce: "c")
        #expect(ticket10.count == 3)
        let ticket11 = spaces.challenged(try challenge(nonce: "a"), cnonce: "c")
        #expect(ticket11.count == 4)
    }

    @Test func aNextNonceTakesThePlaceAndARefusalForgetsIt() throws {
        var spaces = DigestSpaces(origin: "http://h")
        let ticket = spaces.challenged(try challenge(nonce: "a"), cnonce: "c")
        spaces.renewed(ticket, nonce: "next")
        let foundRenewed = spaces.ticket(path: "/", cnonce: "c")
        let renewed = try #require(foundRenewed)
        #expect(renewed.challenge.nonce == "next")
        #expect(renewed.count == 1)
        // A late update of a nonce that is no longer used changes nothing.
        spaces.renewed(ticket, nonce: "late")
        spaces.refused(ticket)
        let ticket2 = spaces.ticket(path: "/", cnonce: "c")
        #expect(ticket2?.challenge.nonce == "next")
        spaces.refused(renewed)
        let ticket3 = spaces.ticket(path: "/", cnonce: "c")
        #expect(ticket3 == nil)
    }

    @Test func theKeyOfASessionKeepsItsNonces() throws {
        var spaces = DigestSpaces(origin: "http://h")
        let first = spaces.challenged(try challenge(nonce: "a", ", algorithm=MD5-sess"), cnonce: "c1")
        spaces.renewed(first, nonce: "b")
        let foundSecond = spaces.ticket(path: "/", cnonce: "c2")
        let second = try #require(foundSecond)
        #expect(second.cnonce == "c1")
        #expect(second.challenge.nonce == "b")
        #expect(second.challenge.sessionNonce == "a")
    }

    @Test func aDomainLimitsWhereAProofIsSentUnasked() throws {
        var spaces = DigestSpaces(origin: "http://h")
        let deep = ", domain=\"/a/b http://h:80/c https://other/ http://h\""
        _ = spaces.challenged(try challenge("wide", nonce: "w", ", domain=\"/a\""), cnonce: "c")
        _ = spaces.challenged(
            try challenge("deep", nonce: "d", deep.replacing(" http://h\"", with: "\"")), cnonce: "c")
        let ticket4 = spaces.ticket(path: "/a/b/1", cnonce: "c")
        #expect(ticket4?.challenge.realm == "deep")
        let ticket5 = spaces.ticket(path: "/a/1", cnonce: "c")
        #expect(ticket5?.challenge.realm == "wide")
        let ticket6 = spaces.ticket(path: "/c", cnonce: "c")
        #expect(ticket6?.challenge.realm == "deep")
        let ticket7 = spaces.ticket(path: "/x", cnonce: "c")
        #expect(ticket7 == nil)
    }

    @Test func hostileServersFillNoMemory() throws {
        var spaces = DigestSpaces(origin: "http://h")
        for number in 0..<1000 {
            _ = spaces.challenged(try challenge("r\(number)", nonce: "n"), cnonce: "c")
            _ = spaces.challenged(try challenge(nonce: "n\(number)"), cnonce: "c")
        }
        let ticket8 = spaces.ticket(path: "/", cnonce: "c")
        #expect(ticket8?.challenge.nonce == "n999")
    }

    @Test func theStrongestAlgorithmIsChosen() throws {
        func strongest(_ text: String, minimum: DigestChallenge.Algorithm = .md5) -> String? {
            DigestChallenge.strongest(of: AuthChallenge.list(text), minimum: minimum).map {
                $0.algorithm.name + ($0.isSession ? "-sess" : "") + ":" + $0.nonce
            }
        }
        let md5 = "Digest realm=a, nonce=1"
        let sha = "Digest realm=a, nonce=2, algorithm=sha-256"
        let long = "Digest realm=a, nonce=3, algorithm=SHA-512-256-sess"
        #expect(strongest("\(md5), Basic realm=a, \(long), \(sha)") == "SHA-512-256-sess:3")
        #expect(strongest("\(sha), \(md5), \(sha)4") == "SHA-256:2")
        #expect(strongest("\(md5)", minimum: .sha256) == nil)
        #expect(strongest("Digest realm=a, nonce=9, algorithm=SHA3, \(md5)") == "MD5:1")
        for text in [
            "Digest realm=a", "Digest nonce=a", "Basic realm=a", "Digest realm=a, nonce=n, qop=\"other\"",
            "Digest realm=a, nonce=n, algorithm=-sess",
        ] {
            #expect(strongest(text) == nil, "\(text)")
        }
        let open = DigestChallenge.strongest(
            of: AuthChallenge.list(
                "Digest realm=a, nonce=n, qop=\"x,AUTH auth-int\", userhash=TRUE, stale=True, charset=utf-8"))
        #expect(open?.protections == [.authentication, .integrity])
        #expect(open?.hashesUser == true)
        #expect(open?.isStale == true)
        #expect(open?.isUTF8 == true)
    }

    @Test func aUserIsSentAsTheServerCanReadIt() throws {
        func field(_ user: String, _ more: String) throws -> String {
            let answer = DigestAnswer(
                to: try challenge(nonce: "n", more), uri: "/", cnonce: "c", count: 255, protection: .authentication)
            return try answer.authorization(user: user, proof: "p", hash: { _ in "hashed" }).credentials
        }
        #expect(try field("Jäsøn", ", charset=UTF-8").hasPrefix("username*=UTF-8''J%C3%A4s%C3%B8n, realm=\"r\""))
        #expect(try field("Jäsøn", "").hasPrefix("username=\"Jäsøn\","))
        #expect(try field("a\"b\\", ", charset=UTF-8").hasPrefix("username=\"a\\\"b\\\\\","))
        let hashed = try field("ann", ", userhash=true")
        #expect(hashed.hasPrefix("username=\"hashed\""))
        #expect(hashed.hasSuffix("userhash=true"))
        #expect(hashed.contains(" qop=auth, nc=000000ff, cnonce=\"c\""))
        #expect(throws: NetError.self) { try field("a\nb", "") }
    }
}

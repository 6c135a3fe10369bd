#if Server && os(Linux)
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// The cookies of curl's engine and ours after the same responses. Excludes the deviations of curl 7.88 from the RFC:
/// it removes a slash from the end of `Path`, and treats an invalid path as `/`.
@Suite(.timeLimit(.minutes(5))) struct CookieDifferentialTests {
    private struct Step: Sendable { let url: String, headers: [String] }

    private static let program = ["/usr/bin/curl", "/usr/local/bin/curl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private func pick(_ random: SeededRandom, _ values: [String]) -> String {
        values[Int(random.next() % UInt64(values.count))]
    }

    private func steps(_ random: SeededRandom) -> [Step] {
        let hosts = [
            "example.com", "shop.example.com", "a.shop.example.com", "notexample.com", "shop.co.uk", "other.co.uk",
        ]
        let paths = ["/", "/a", "/a/", "/a/b", "/a/b/c", "/ab", "/a?q=/z/"]
        let attributes = [
            [
                "", "; Domain=example.com", "; Domain=.example.com", "; domain=SHOP.example.com", "; Domain=com",
                "; Domain=co.uk", "; Domain=other.co.uk", "; Domain=ample.com",
            ],
            ["", "; Path=/", "; Path=/a", "; path=/a/b", "; Path=/ab"],
            [
                "", "", "; Max-Age=3600", "; Max-Age=0", "; Max-Age=-1", "; Expires=Thu, 01 Jan 1970 00:00:01 GMT",
                "; Expires=Wed, 01-Jan-2031 00:00:00 GMT", "; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:01 GMT",
                "; expires=Sunday, 06-Nov-94 08:49:37 GMT", "; Expires=never",
            ],
            ["", "", "; HttpOnly", "; Secure", "; SameSite=Lax"],
        ]
        return (0..<200).map { index in
            let count = Int(random.next() % 3)
            let headers = (0..<count).map { place in
                let name = pick(random, ["a", "b", "c", "__Secure-d", "__Host-e"])
                return "\(name)=\(index)-\(place)" + attributes.map { pick(random, $0) }.joined()
            }
            return Step(url: "http://" + pick(random, hosts) + pick(random, paths), headers: headers)
        }
    }

    @Test(.enabled(if: program != nil), arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func curlSendsTheSameCookies(seed: UInt64) async throws {
        let steps = steps(SeededRandom(seed: seed))
        let turn = Locked(0)
        let answer = Stub(.get, "*") { _ in
            var headers = HTTPFields()
            turn.change { turn in
                for field in steps[turn].headers { headers.append(HTTPField(name: .setCookie, value: field)) }
                turn += 1
            }
            return StubResponse(headers: headers)
        }
        let server = try await TestServer.start([answer])
        let status = try await curl(steps.map(\.url), port: server.port)
        let theirs = server.requests.map { Set(($0.headers[.cookie] ?? "").split(separator: "; ")) }
        await server.stop()
        #expect(status == 0)
        #expect(theirs.count == steps.count)
        var jar = CookieJar(publicSuffixes: .system)
        var sent = 0
        for (step, theirs) in zip(steps, theirs) {
            let ours = jar.field(for: step.url, now: Date()) ?? ""
            #expect(Set(ours.split(separator: "; ")) == theirs, "\(step.url)")
            sent += theirs.count
            for field in step.headers { jar.store(field, from: step.url, now: Date()) }
        }
        // If hardly any cookies were sent, agreement would prove nothing.
        #expect(sent > 20)
    }

    private func curl(_ urls: [String], port: Int) async throws -> Int32 {
        let arguments =
            ["-q", "-s", "--max-time", "30", "--noproxy", "*", "-b", "", "--connect-to", "::127.0.0.1:\(port)"]
            + urls.flatMap { ["-o", "/dev/null", $0] }
        let program = Self.program ?? "/usr/bin/curl"
        return try await offPool { try ChildProcess(program, arguments).wait() }
    }
}
#endif

#if os(Linux) && Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Digest between the client and a server that uses hashlib.
@Suite(.timeLimit(.minutes(2))) struct DigestMiddlewareTests {
    private struct Entry: Decodable, Equatable {
        let path, body, nonce, nc, cnonce, qop, algorithm, username: String
        let status: Int
    }

    private struct Peer {
        let client: HTTPClient
        let events: EventLog
        let baseURL: BaseURL

        func log() async throws -> [Entry] { try await client.send(Request<[Entry]>("log")) }
    }

    private func withPeer(
        password: String = "geheim", user: String = "ann", prefersIntegrity: Bool = false,
        minimum: DigestChallenge.Algorithm = .md5,
        _ body: (Peer) async throws -> Void
    ) async throws {
        let peer = try StreamPeer("auth/digest.py")
        var transport = CurlTransport.Configuration()
        transport.proxy = .none
        let baseURL = peer.baseURL
        let digest = DigestMiddleware(
            user: user, password: password, minimumAlgorithm: minimum, prefersIntegrity: prefersIntegrity)
        let events = EventLog()
        let client = HTTPClient(baseURL: baseURL, transport: CurlTransport(configuration: transport)) {
            $0.middleware = [digest]
            $0.listeners = [events]
        }
        try await body(Peer(client: client, events: events, baseURL: peer.baseURL))
        #expect(client.unfinishedCalls == 0)
        await client.shutdown()
        withExtendedLifetime(peer) {}
    }

    private func get(_ path: String, _ options: String = "") -> Request<String> {
        let items = options.split(separator: "&").map { option in
            let parts = option.split(separator: "=").map(String.init)
            return QueryItem(parts[0], parts[1])
        }
        return Request<String>(Path(path), query: QueryItems(items), serializer: .string)
    }

    @Test(
        arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess", "SHA-512-256", "SHA-512-256-sess"],
        ["auth", "auth-int", "both", "none"])
    func theFirstRequestIsChallengedAndTheNextBringsItsProof(algorithm: String, qop: String) async throws {
        // RFC 2069 doesn't have sessions.
        guard qop != "none" || !algorithm.hasSuffix("-sess") else { return }
        try await withPeer { peer in
            for _ in 0..<3 {
                let text = try await peer.client.send(get("\(algorithm)/\(qop)/a b"))
                #expect(text == "GET ")
            }
            let log = try await peer.log()
            #expect(log.map(\.status) == [401, 200, 200, 200])
            #expect(
                log.dropFirst().map(\.nc) == (qop == "none" ? ["", "", ""] : ["00000001", "00000002", "00000003"]))
            #expect(Set(log.dropFirst().map(\.nonce)).count == 1)
            if qop != "none" { #expect(Set(log.map(\.cnonce)).count == (algorithm.hasSuffix("-sess") ? 2 : 4)) }
            #expect(log.last?.qop == (qop == "both" ? "auth" : qop == "none" ? "" : qop))
        }
    }

    @Test(arguments: ["SHA-256", "SHA-256-sess"]) func fiftyCallsBesideOneAnotherUseNoCountTwice(algorithm: String)
        async throws
    {
        try await withPeer { peer in
            let request = get("\(algorithm)/auth/x")
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<50 { group.addTask { try await peer.client.send(request) } }
                for try await text in group { #expect(text == "GET ") }
            }
            for _ in 0..<5 { try await peer.client.send(request) }
            let signed = try await peer.log().filter { !$0.nc.isEmpty }
            #expect(signed.count == 55)
            #expect(signed.allSatisfy { $0.status == 200 })
            #expect(Set(signed.map { $0.nonce + $0.nc }).count == 55)
        }
    }

    @Test(arguments: ["", "&quiet=1"]) func aNonceThatIsTooOldIsReplaced(quiet: String) async throws {
        try await withPeer { peer in
            for _ in 0..<5 {
                let text = try await peer.client.send(get("SHA-256/auth/x", "uses=2\(quiet)"))
                #expect(text == "GET ")
            }
            #expect(try await peer.log().map(\.status) == [401, 200, 200, 401, 200, 200, 401, 200])
        }
    }

    @Test(arguments: ["MD5", "MD5-sess"]) func theNextNonceIsTakenAsItIsNamed(algorithm: String) async throws {
        try await withPeer { peer in
            for _ in 0..<3 { try await peer.client.send(get("\(algorithm)/auth/x", "next=1")) }
            let log = try await peer.log()
            #expect(log.map(\.status) == [401, 200, 200, 200])
            #expect(Set(log.dropFirst().map(\.nonce)).count == 3)
            #expect(log.dropFirst().allSatisfy { $0.nc == "00000001" })
        }
    }

    @Test func aWrongPasswordIsSentOnce() async throws {
        try await withPeer(password: "wrong") { peer in
            for calls in 1...2 {
                let error = try await failure { try await peer.client.send(get("SHA-256/auth/x")) }
                #expect(error.status == 401)
                #expect(!"\(error)\(error.debugSummary)".contains("wrong"))
                #expect(try await peer.log().map(\.status) == Array(repeating: 401, count: 2 * calls))
            }
            let names = peer.events.names.prefix(5)
            #expect(names == ["started", "attemptEnded", "retrying", "attemptEnded", "rejected"])
        }
    }

    @Test(arguments: ["auth", "auth-int"]) func aServerThatCannotProveItselfIsNotBelieved(qop: String) async throws {
        try await withPeer { peer in
            let request = get("SHA-256/\(qop)/x", "wrong=1&size=100000")
            let error = try await failure { try await peer.client.send(request) }
            #expect(error.code == .authentication)
            #expect(error.url?.contains("/SHA-256/") == true)
            do {
                let response = try await peer.client.stream(request)
                #expect(qop == "auth-int")
                let late = await #expect(throws: NetError.self) { try await response.body.collect(upTo: 1 << 20) }
                #expect(late?.code == .authentication)
            } catch {
                #expect(qop == "auth")
                #expect(NetError(error)?.code == .authentication)
            }
        }
    }

    @Test(arguments: ["", "&gzip=1"]) func aProvenBodyIsReadToItsEnd(gzip: String) async throws {
        try await withPeer { peer in
            let request = get("SHA-512-256/auth-int/x", "size=300000" + gzip)
            let text = try await peer.client.send(request)
            #expect(text.utf8.count == 300_000)
            let response = try await peer.client.stream(request)
            let body = try await response.body.collect(upTo: 1 << 20)
            #expect(body.count == 300_000)
        }
    }

    @Test(arguments: ["auth", "auth-int", "both"]) func aBodyThatCanBeSentAgainIs(qop: String) async throws {
        try await withPeer(prefersIntegrity: true) { peer in
            var post = get("SHA-256/\(qop)/x")
            post.method = .post
            post.body = .text("order é")
            let text = try await peer.client.send(post)
            #expect(text == "POST order é")
            let chunks = [Bytes("in ".utf8), Bytes("pieces".utf8)]
            post.body = .stream(Replayed(chunks: chunks), isReplayable: true)
            let streamed = try await peer.client.send(post)
            #expect(streamed == "POST in pieces")
            #expect(try await peer.log().last?.qop == (qop == "auth" ? "auth" : "auth-int"))
        }
    }

    @Test func aBodyThatCannotBeSentAgainLearnsForTheNextCall() async throws {
        try await withPeer { peer in
            @Sendable func post(_ path: String) -> Request<String> {
                var request = get(path)
                request.method = .post
                request.body = .stream(Replayed(chunks: [Bytes("once".utf8)]))
                return request
            }
            let error = try await failure { try await peer.client.send(post("SHA-256/auth/x")) }
            #expect(error.status == 401)
            let text = try await peer.client.send(post("SHA-256/auth/x"))
            #expect(text == "POST once")
            #expect(try await peer.log().map(\.status) == [401, 200])
            // With auth-int, its hash would have to be sent before it.
            _ = try await failure { try await peer.client.send(post("SHA-256/auth-int/x")) }
            let refused = try await failure { try await peer.client.send(post("SHA-256/auth-int/x")) }
            #expect(refused.code == .encoding)
            #expect(refused.message.contains("replayable"))
        }
    }

    @Test(arguments: ["ann", "Jäsøn \"J\" Doe"], ["", "userhash=1"])
    func namesOfEveryKindAreUnderstood(user: String, options: String) async throws {
        try await withPeer(user: user) { peer in
            let text = try await peer.client.send(get("SHA-256/auth/x", options))
            #expect(text == "GET ")
        }
    }

    @Test func theStrongestAlgorithmIsAnsweredAndWeakOnesCanBeForbidden() async throws {
        try await withPeer { peer in
            try await peer.client.send(get("MD5+SHA-512-256+SHA-256/auth/x"))
            #expect(try await peer.log().last?.algorithm == "SHA-512-256")
        }
        try await withPeer(minimum: .sha256) { peer in
            let error = try await failure { try await peer.client.send(get("MD5/auth/x")) }
            #expect(error.status == 401)
            #expect(try await peer.log().count == 1)
        }
    }

    @Test func credentialsNeverLeaveTheirOrigin() async throws {
        let challenge = StubResponse.status(.unauthorized).header(
            .wwwAuthenticate, "Digest realm=\"a\", nonce=\"n\", qop=\"auth\"")
        try await Fixture.run([Stub(nil, "/x", challenge)]) { other in
            try await withPeer { peer in
                let error = try await failure {
                    try await peer.client.send(
                        Request<String>(url: other.server.baseURL.description + "/x", serializer: .string))
                }
                #expect(error.status == 401)
            }
            #expect(other.server.requests.count == 1)
            #expect(other.server.requests.allSatisfy { $0.headers[.authorization] == nil })
        }
    }

    @Test func anAuthorizationOfTheRequestsOwnIsLeftAlone() async throws {
        try await withPeer { peer in
            var own = get("SHA-256/auth/x")
            own.headers.authorization = try .bearer("mine")
            let request = own
            let error = try await failure { try await peer.client.send(request) }
            #expect(error.status == 401)
            #expect(try await peer.log().count == 1)
        }
    }

    @Test func eachRealmIsAskedForItsOwnCredentials() async throws {
        let realms = Locked<[String]>([])
        let peer = try StreamPeer("auth/digest.py")
        let baseURL = peer.baseURL
        let digest = DigestMiddleware { realm in
            realms.change { $0.append(realm) }
            return realms.value.count == 1 ? .init(user: "ann", password: "geheim") : nil
        }
        var transport = CurlTransport.Configuration()
        transport.proxy = .none
        let client = HTTPClient(baseURL: baseURL, transport: CurlTransport(configuration: transport)) {
            $0.middleware = [digest]
        }
        let text = try await client.send(get("SHA-256/auth/x"))
        #expect(text == "GET ")
        #expect(realms.value == ["a \"quoted\" realm"])
        // Without credentials, the request is sent without them, and the challenge is the response.
        let error = try await failure { try await client.send(get("SHA-256/auth/x")) }
        let log = try await client.send(Request<[Entry]>("log"))
        #expect(error.status == 401)
        #expect(log.map(\.status) == [401, 200, 401])
        await client.shutdown()
        withExtendedLifetime(peer) {}
    }

    @Test func withoutABaseURLTheOriginsMustBeNamedAndNoSecretIsShown() async throws {
        let digest = DigestMiddleware(user: "ann", password: "SECRET")
        let client = HTTPClient(configuration: .init(middleware: [digest]), transport: MockTransport([]))
        let error = try await failure {
            try await client.send(Request<String>(url: "http://mock.test/x", serializer: .string))
        }
        #expect(error.code == .invalidRequest)
        #expect(error.message.contains("scope"))
        var dumped = ""
        dump(DigestMiddleware.Credentials(user: "ann", password: "SECRET"), to: &dumped)
        #expect(!"\(digest)\(dumped)".contains("SECRET"))
    }
}

/// Returns the same chunks to each consumer.
private struct Replayed: AsyncSequence, Sendable {
    let chunks: [Bytes]

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Bytes>
        mutating func next() async -> Bytes? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: chunks[...]) }
}
#endif

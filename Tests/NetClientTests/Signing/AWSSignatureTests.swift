#if os(Linux)
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import NetClient

@Suite(.timeLimit(.minutes(2))) struct AWSSignatureTests {
    static let python = StreamPeer.python(with: "botocore")

    private struct Suite: Decodable {
        struct Credentials: Decodable { let accessKeyID, secretAccessKey: String, token: String? }
        struct Expected: Decodable { let canonical, signature: String }
        struct Case: Decodable {
            let name, method, target, body, region, service, date: String
            let headers: [[String]]
            let credentials: Credentials
            let normalize, signBody, omitToken: Bool
            let expires: Int
            let header, query: Expected
        }

        let cases: [Case]
    }

    private func signature(in request: PreparedRequest) -> Substring? {
        request.head.headerFields[.authorization]?.split(separator: "Signature=").last
    }

    @Test func theCasesOfAWSAreSignedAsPublished() async throws {
        let suite = try SigningFixture.read("sigv4-cases.json", as: Suite.self)
        for item in suite.cases {
            let host = try #require(item.headers.first { $0[0].lowercased() == "host" }?[1])
            let headers = item.headers.filter { !["host", "content-length"].contains($0[0].lowercased()) }
            let request = try SigningFixture.request(
                item.method, host, item.target, headers, body: Bytes(item.body.utf8))
            var settings = AWSSignature(service: item.service, region: item.region)
            settings.normalizesPath = item.normalize
            settings.sendsPayloadHash = item.signBody
            settings.coversSessionToken = !item.omitToken
            let keys = AWSCredentials(
                accessKeyID: item.credentials.accessKeyID, secretAccessKey: item.credentials.secretAccessKey,
                sessionToken: item.credentials.token)
            let date = try #require(try? Date(item.date, strategy: .iso8601))
            var covered = request
            // The length is a header that only the transport adds.
            if let length = item.headers.first(where: { $0[0].lowercased() == "content-length" }) {
                covered.head.headerFields[.contentLength] = length[1]
            }
            let signed = try await settings.sign(covered, with: keys, at: date)
            #expect(signature(in: signed) == item.header.signature[...], "\(item.name): \(item.header.canonical)")
            let names = Set(covered.head.headerFields.map(\.name))
            let url = try await settings.presign(
                covered, with: keys, at: date, expiresAfter: .seconds(item.expires), covering: names
            ).url
            #expect(url.contains("X-Amz-Signature=\(item.query.signature)"), "\(item.name): \(item.query.canonical)")
        }
        #expect(suite.cases.count == 38)
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs botocore"))
    func randomRequestsAreSignedAsBotocoreSignsThem() async throws {
        struct Case: Decodable {
            let kind, method, host, target, body, secret, region, service, url: String
            let headers: [[String]]
            let token, authorization: String?
            let unsigned: Bool
            let expires: Int
            let date: Double
        }
        let lines = try await SigningFixture.lines(Self.python, "sigv4.py", "400")
        for line in lines {
            let item = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
            let request = try SigningFixture.request(
                item.method, item.host, item.target, item.headers, body: SigningFixture.bytes(item.body))
            let settings = AWSSignature(
                service: item.service, region: item.region, payload: item.unsigned ? .unsigned : .hashed)
            let keys = AWSCredentials(
                accessKeyID: "AKIDEXAMPLE", secretAccessKey: item.secret, sessionToken: item.token)
            let date = Date(timeIntervalSince1970: item.date)
            guard item.kind.hasSuffix("query") else {
                let signed = try await settings.sign(request, with: keys, at: date)
                #expect(signed.head.headerFields[.authorization] == item.authorization, "\(line)")
                continue
            }
            let names = request.head.headerFields.map(\.name).filter { $0 != .userAgent }
            let url = try await settings.presign(
                request, with: keys, at: date, expiresAfter: .seconds(item.expires), covering: Set(names)
            ).url
            let theirs = item.url.split(separator: "X-Amz-Signature=").last
            #expect(url.split(separator: "X-Amz-Signature=").last == theirs, "\(line)")
        }
        #expect(lines.count == 400)
    }

    private struct Chunks: AsyncSequence, Sendable {
        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<Bytes>
            mutating func next() async -> Bytes? { rest.popFirst() }
        }

        let chunks: [Bytes]
        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: chunks[...]) }
    }

    @Test func streamsAreHashedOnlyIfTheyCanBeReadTwice() async throws {
        let keys = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret")
        let date = Date(timeIntervalSince1970: 0)
        let whole = try SigningFixture.request("PUT", "s3.test", "/b/k", body: Bytes("hello".utf8))
        func streamed(_ body: RequestBody) throws -> PreparedRequest {
            let client = HTTPClient(baseURL: "https://s3.test", transport: MockTransport())
            return PreparedRequest(
                head: whole.head,
                body: try client.prepare(Request<Void>("", method: .put, body: body, serializer: .discard)).body)
        }
        let chunks = [Bytes("hel".utf8), Bytes("lo".utf8)]
        let s3 = AWSSignature(service: "s3", region: "eu-central-1")
        let expected = try await s3.sign(whole, with: keys, at: date)
        let again = try await s3.sign(
            streamed(.stream(Chunks(chunks: chunks), isReplayable: true)), with: keys, at: date)
        #expect(signature(in: again) == signature(in: expected))
        let hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        #expect(again.head.headerFields[.amzContentSHA256] == hash)
        let once = try streamed(.stream(Chunks(chunks: chunks)))
        let error = await #expect(throws: NetError.self) { try await s3.sign(once, with: keys, at: date) }
        #expect(error?.code == .encoding)
        let unsigned = try await AWSSignature(service: "s3", region: "eu-central-1", payload: .unsigned)
            .sign(once, with: keys, at: date)
        #expect(unsigned.head.headerFields[.amzContentSHA256] == "UNSIGNED-PAYLOAD")
        // A known hash doesn't require the body.
        var known = once
        known.head.headerFields[.amzContentSHA256] = hash
        #expect(try await signature(in: s3.sign(known, with: keys, at: date)) == signature(in: expected))
    }

    @Test func aSignedURLLivesAWeekAtMost() async throws {
        let keys = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret")
        let request = try SigningFixture.request("GET", "s3.test", "/b/k")
        for lifetime in [Duration.zero, .seconds(604_801)] {
            let error = await #expect(throws: NetError.self) {
                try await AWSSignature(service: "s3", region: "x").presign(
                    request, with: keys, at: Date(), expiresAfter: lifetime)
            }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func eachAttemptIsSignedAtItsTimeAndNoOtherOrigin() async throws {
        let clock = TestClock()
        let transport = MockTransport([
            Stub(.get, "/x", .status(.serviceUnavailable).header(.retryAfter, "45")).times(1),
            Stub(.get, "/x", .text("ok")),
        ])
        let keys = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s3cret", sessionToken: "t0k3n")
        let auth = AWSSignatureMiddleware(AWSSignature(service: "sqs", region: "eu-central-1"), with: keys)
        let client = virtual(clock, transport, RetryMiddleware(), auth)
        let request = Request<String>("x", serializer: .string)
        _ = try await clock.run { try await client.send(request) }
        let seen = transport.recordedRequests
        try #require(seen.count == 2)
        #expect(seen[0].headers[.amzDate] != seen[1].headers[.amzDate])
        #expect(seen.allSatisfy { $0.headers[.amzSecurityToken] == "t0k3n" && $0.headers[.authorization] != nil })
        var other = request
        other.options.absoluteURL = "http://other.test/x"
        _ = try await client.send(other)
        let last = transport.recordedRequests.last
        #expect(last?.headers[.authorization] == nil)
        #expect(last?.headers[.amzSecurityToken] == nil)
        #expect(!"\(keys) \(auth)".contains("s3cret"))
        #expect(!"\(keys) \(auth)".contains("t0k3n"))
    }
}
#endif

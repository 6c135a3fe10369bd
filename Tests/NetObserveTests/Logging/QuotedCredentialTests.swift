import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// A server that quotes what it was sent, in a log that is outside of the middleware that adds a credential.
@Suite(.timeLimit(.minutes(1))) struct QuotedCredentialTests {
    /// Logs a call to a server whose response quotes the values of some header fields; returns the quotes and the log.
    private func quoted(
        _ names: [HTTPField.Name], _ middleware: [any Middleware]
    ) async throws -> (quotes: [Substring], log: String) {
        let stub = Stub(nil, "/x") { request in
            if request.headers[.authorization] == nil, names.contains(.authorization),
                middleware.first is DigestMiddleware
            {
                return .status(.unauthorized).header(.wwwAuthenticate, #"Digest realm="r", nonce="n0nce", qop="auth""#)
            }
            return .text("you sent " + names.compactMap { request.headers[$0] }.joined(separator: " and "))
        }
        let sink = LogSink()
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([stub])) {
            $0.middleware = [LoggingMiddleware(logger: sink.logger(), detail: .verbose)] + middleware
        }
        let text = try await client.send(Request<String>("x", serializer: .string))
        let quotes = text.dropFirst(9).split { " ,;\"=:".contains($0) }
        return (quotes, sink.lines.map(\.message).joined(separator: "\n"))
    }

    @Test func theCredentialOfAProviderIsHidden() async throws {
        let name: HTTPField.Name = "X-Whatever"
        let found = try await quoted([name], [AuthMiddleware(try Credential(name, "PLANTED-token"))])
        #expect(found.quotes == ["PLANTED-token"])
        #expect(found.log.contains("you sent <redacted>"))
    }

    @Test func aCookieThatIdentifiesTheUserIsHidden() async throws {
        var jar = CookieJar()
        for (name, value) in [("who", "PLANTED-cookie"), ("theme", "dark-and-quiet")] {
            try jar.insert(Cookie(name: name, value: value, domain: "mock.test"), now: Date())
        }
        let found = try await quoted([.cookie], [CookieMiddleware(CookieStore(jar), identityCookies: ["who"])])
        #expect(found.quotes.contains("PLANTED-cookie"))
        #expect(!found.log.contains("PLANTED-cookie"))
        #expect(found.log.contains("dark-and-quiet"))
    }

    @Test func theProofOfDigestIsHidden() async throws {
        let found = try await quoted([.authorization], [DigestMiddleware(user: "ada", password: "PLANTED-password")])
        let proof = try #require(found.quotes.first { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
        #expect(!found.log.contains(proof))
        #expect(found.log.contains("you sent"))
    }

    @Test func signaturesAndTokensOfAWSAreHidden() async throws {
        let credentials = AWSCredentials(
            accessKeyID: "PLANTEDKEYID", secretAccessKey: "s3cret", sessionToken: "PLANTED-session")
        let token: HTTPField.Name = "X-Amz-Security-Token"
        let found = try await quoted(
            [.authorization, token],
            [AWSSignatureMiddleware(AWSSignature(service: "s3", region: "eu-central-1"), with: credentials)])
        let signature = try #require(found.quotes.first { $0.count == 64 })
        #expect(found.quotes.contains("PLANTED-session"))
        for secret in [signature, "PLANTED-session"] { #expect(!found.log.contains(secret)) }
        #expect(found.log.contains("you sent"))
    }

    @Test func aSignatureOfAMessageIsHidden() async throws {
        let name: HTTPField.Name = "Signature"
        let key = SignatureKey(sharedSecret: Bytes("a long and unpredictable secret".utf8), id: "app")
        let found = try await quoted([name], [MessageSignatureMiddleware(MessageSignature(key: key))])
        let signature = try #require(found.quotes.first { $0.count > 40 })
        #expect(!found.log.contains(signature))
        #expect(found.log.contains("you sent"))
    }

    @Test func theOrderOfTheMiddlewareDoesNotMatter() async throws {
        let sink = LogSink()
        let log = LoggingMiddleware(logger: sink.logger(), detail: .verbose)
        let auth = AuthMiddleware(try .bearer("PLANTED-token"))
        let stub = Stub(nil, "/x", .json(text: #"{"message":"bad key PLANTED-token","again":"PLANTED-token"}"#))
        for middleware in [[log, auth], [auth, log], [RetryMiddleware(), log, auth]] as [[any Middleware]] {
            let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport([stub])) {
                $0.middleware = middleware
            }
            _ = try await client.send(Request<String>("x", serializer: .string))
        }
        let lines = sink.lines.map(\.message)
        #expect(lines.count { $0.contains("bad key <redacted>") } == 3)
        #expect(!lines.joined().contains("PLANTED-token"))
    }
}

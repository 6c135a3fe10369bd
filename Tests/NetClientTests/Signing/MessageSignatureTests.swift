#if os(Linux)
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import NetClient

@Suite(.timeLimit(.minutes(2))) struct MessageSignatureTests {
    static let python = StreamPeer.python(with: "http_message_signatures")

    private let created = Date(timeIntervalSince1970: 1_618_884_473)
    private let digest =
        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:"

    /// `test-request` of RFC 9421 appendix B.2.
    private func request() throws -> PreparedRequest {
        try SigningFixture.request(
            "POST", "example.com", "/foo?param=Value&Pet=dog",
            [
                ["Date", "Tue, 20 Apr 2021 02:07:55 GMT"], ["Content-Type", "application/json"],
                ["Content-Digest", digest],
            ], body: Bytes(#"{"hello": "world"}"#.utf8))
    }

    private func components(of input: String) throws -> [MessageSignature.Component] {
        let member = try StructuredField.Dictionary(parsing: input).first?.value
        return try #require(member?.innerList).items.map { MessageSignature.Component($0) }
    }

    @Test func theSignaturesOfTheStandardAreRight() throws {
        let all = try SignatureCases.all()
        let response = ResponseHead(
            status: .ok,
            headers: [
                .contentType: "application/json", .contentLength: "23",
                .contentDigest:
                    "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:",
            ])
        for item in all.cases {
            var message = SignatureBase(request: try request())
            if item.name == "b24" { message = SignatureBase(request: nil, response: response) }
            let list = try #require(try StructuredField.Dictionary(parsing: item.input).first?.value.innerList)
            let (base, _) = try message.text(
                list.items.map { MessageSignature.Component($0) }, parameters: list.parameters)
            #expect(String(decoding: base, as: UTF8.self) == item.base, "\(item.name)")
            let id = try #require(list.parameters["keyid"]?.string)
            var headers: HTTPFields = [:]
            headers[.signatureInput] = item.input
            headers[.signature] = item.signature
            for isPublic in [true, false] {
                let covered = try MessageSignature.verify(
                    message, headers, with: all.key(id, isPublic: isPublic), label: nil, at: created)
                #expect(covered.count == list.items.count, "\(item.name)")
            }
            headers[.signature] = item.signature.replacing("A", with: "B")
            #expect(throws: NetError.self, "\(item.name)") {
                try MessageSignature.verify(message, headers, with: all.key(id), label: nil, at: created)
            }
        }
        #expect(all.cases.count == 6)
    }

    @Test(arguments: ["b25", "b26"]) func deterministicSignaturesMatchRFC9421(name: String) async throws {
        let all = try SignatureCases.all()
        let item = try #require(all.cases.first { $0.name == name })
        let key = try all.key(name == "b25" ? "test-shared-secret" : "test-key-ed25519")
        let signature = MessageSignature(key: key, components: try components(of: item.input), label: "sig-\(name)")
        let signed = try await signature.sign(request(), at: created)
        #expect(signed.head.headerFields[.signatureInput] == item.input)
        #expect(signed.head.headerFields[.signature] == item.signature)
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs http-message-signatures"))
    func signaturesFromAnotherImplementationAreVerified() async throws {
        struct Case: Decodable {
            let key, method, url: String
            let headers: [[String]]
        }
        let all = try SignatureCases.all()
        let path = SigningFixture.folder.appending(path: "signature-cases.json").path
        let lines = try await SigningFixture.lines(Self.python, "signatures.py", "make", path, "300")
        for line in lines {
            let item = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
            let url = URLReference(item.url)
            let target = url.path + (url.query.map { "?" + $0 } ?? "")
            let request = try SigningFixture.request(item.method, url.authority ?? "", target, item.headers)
            #expect(throws: Never.self, "\(line)") {
                try MessageSignature.verify(
                    SignatureBase(request: request), request.head.headerFields, with: all.key(item.key, isPublic: true),
                    label: "sig1", at: created)
            }
        }
        #expect(lines.count == 300)
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs http-message-signatures"))
    func signaturesAreAcceptedByAnotherImplementation() async throws {
        struct Case: Encodable {
            let key, method, url: String
            let headers: [[String]]
        }
        let all = try SignatureCases.all()
        var random = SeededRandom(seed: 3).netRandom
        var cases: [Case] = []
        let ids = SignatureCases.algorithms.keys.sorted() + ["test-shared-secret"]
        for _ in 0..<100 {
            let id = try #require(ids.randomElement(using: &random))
            let target =
                ["/", "/a%20b", "/x/y?q=1", "/x?q=a%20b+c~*&z=", "/?q=%C3%A4"].randomElement(using: &random) ?? "/"
            let host = ["example.com", "example.com:8080", "Example.com:443"].randomElement(using: &random) ?? ""
            var components: [MessageSignature.Component] = [
                .method, .targetURI, .authority, .scheme, .requestTarget, .path, .query, .contentDigest,
                .header(.accept), .dictionaryMember("u", of: .priority), .wrappedHeader(.accept),
            ]
            if target.contains("q=") { components.append(.queryItem("q")) }
            components = Array(components.shuffled(using: &random).prefix(Int.random(in: 1...9, using: &random)))
            let signature = MessageSignature(
                key: try all.key(id), components: components, lifetime: .seconds(600_000_000), tag: "app",
                namesAlgorithm: Bool.random(using: &random))
            let plain = try SigningFixture.request(
                "POST", host, target, [["Accept", "text/plain"], ["Priority", "i, u=1"]], body: Bytes("hello".utf8))
            let signed = try await signature.sign(plain, at: created, nonce: "n")
            cases.append(
                Case(
                    // As received by a server: hosts are sent without a default port.
                    key: id, method: "POST", url: signed.origin + target,
                    headers: signed.head.headerFields.map { [$0.name.rawName, $0.value] }))
        }
        let text = try cases.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let file = try ScratchFolder.write(text.joined(separator: "\n") + "\n", to: "signed-requests")
        let path = SigningFixture.folder.appending(path: "signature-cases.json").path
        let verdicts = try await SigningFixture.lines(Self.python, "signatures.py", "check", path, file)
        for (verdict, text) in zip(verdicts, text) { #expect(verdict.hasPrefix("right"), "\(verdict): \(text)") }
        #expect(verdicts.count == 100)
    }

    @Test func aRequestWithoutAComponentIsNotSigned() async throws {
        let key = SignatureKey(sharedSecret: Bytes("s3cret".utf8))
        for (component, words) in [
            (MessageSignature.Component.header(.accept), "accept"), (.queryItem("nobody"), "nobody"),
            (.dictionaryMember("x", of: .contentDigest), "content-digest"), (.status, "@status"),
            (.method.ofRequest, "@method"),
        ] {
            let error = await #expect(throws: NetError.self) {
                try await MessageSignature(key: key, components: [component]).sign(request(), at: created)
            }
            #expect(error?.code == .invalidRequest, "\(component)")
            #expect(error?.message.contains(words) == true, "\(component)")
        }
        let twice = await #expect(throws: NetError.self) {
            try await MessageSignature(key: key, components: [.method, .method]).sign(request(), at: created)
        }
        #expect(twice?.message.contains("twice") == true)
        let signed = try await MessageSignature(key: key).sign(request(), at: created)
        let again = await #expect(throws: NetError.self) {
            try await MessageSignature(key: key).sign(signed, at: created)
        }
        #expect(again?.message.contains("already") == true)
        let both = try await MessageSignature(key: key, label: "sig2").sign(signed, at: created)
        #expect(both.head.headerFields[values: .signature].count == 2)
    }

    @Test func anExpiredOrForeignSignatureIsRefused() async throws {
        let key = SignatureKey(sharedSecret: Bytes("s3cret".utf8), id: "a")
        let signature = MessageSignature(key: key, lifetime: .seconds(60), namesAlgorithm: true)
        let signed = try await signature.sign(request(), at: created)
        func verdict(_ key: SignatureKey, after seconds: Double) -> String {
            let headers = signed.head.headerFields
            do throws(NetError) {
                let covered = try MessageSignature.verify(
                    SignatureBase(request: signed), headers, with: key, label: nil,
                    at: created.addingTimeInterval(seconds))
                return covered.contains(.contentDigest) ? "right" : "digest"
            } catch {
                return error.isAuthentication ? error.message : "\(error.code)"
            }
        }
        #expect(verdict(key, after: 59) == "right")
        #expect(verdict(key, after: 61).contains("expired"))
        #expect(verdict(SignatureKey(sharedSecret: Bytes("s3cret".utf8), id: "b"), after: 0).contains("no signature"))
        #expect(verdict(SignatureKey(sharedSecret: Bytes("other".utf8), id: "a"), after: 0).contains("wrong"))
        let other = SignatureKey(.ed25519, id: "a") { _ in Bytes() }
        #expect(verdict(other, after: 0).contains("algorithm"))
    }

    @Test func keysAreReadWithoutQuestionsAndOnlyForTheirAlgorithm() throws {
        let all = try SignatureCases.all()
        let ed = try #require(all.keys["test-key-ed25519"]).private
        for (algorithm, text) in [
            (SignatureKey.Algorithm.ecdsaP256, ed), (.rsaPSS, ed), (.ed25519, "no key"),
            (.ecdsaP384, all.keys["test-key-ecc-p256"]?.private ?? ""),
        ] {
            let error = #expect(throws: NetError.self) { try SignatureKey(algorithm, pem: .text(text)) }
            #expect(error?.code == .invalidRequest)
        }
        let unknown = #expect(throws: NetError.self) { try SignatureKey(.hmacSHA256, pem: .text(ed)) }
        #expect(unknown?.code == .unsupported)
        #expect("\(try SignatureKey(.ed25519, pem: .text(ed), id: "a"))" == "ed25519 key a")
    }

    @Test func eachAttemptIsSignedAnewAndNoOtherOrigin() async throws {
        let key = SignatureKey(sharedSecret: Bytes("s3cret".utf8), id: "a")
        let clock = TestClock()
        let transport = MockTransport([
            Stub(.get, "/x", .status(.serviceUnavailable)).times(1), Stub(.get, "/x", .text("ok")),
        ])
        let client = virtual(
            clock, transport, RetryMiddleware(),
            MessageSignatureMiddleware(MessageSignature(key: key), sendsNonce: true))
        let request = Request<String>("x", serializer: .string)
        _ = try await clock.run { try await client.send(request) }
        let inputs = transport.recordedRequests.compactMap { $0.headers[.signatureInput] }
        try #require(inputs.count == 2)
        #expect(inputs[0] != inputs[1])
        var other = request
        other.options.absoluteURL = "http://other.test/x"
        _ = try await client.send(other)
        #expect(transport.recordedRequests.last?.headers[.signature] == nil)
    }
}
#endif

import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetClient

/// The components that are signed by default, and the values that are hidden.
@Suite struct SigningValueTests {
    private func request(_ path: String = "/", _ headers: HTTPFields = [:]) -> PreparedRequest {
        PreparedRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "h.test", path: path, headerFields: headers))
    }

    @Test(arguments: [
        ("s3", true), ("s3express", true), ("s3-object-lambda", true), ("s3-outposts", true), ("sqs", false),
        ("", false),
    ])
    func theServiceDecidesHowItIsSigned(service: String, isS3: Bool) {
        let signature = AWSSignature(service: service, region: "eu")
        #expect(signature.sendsPayloadHash == isS3)
        #expect(signature.normalizesPath == !isS3)
        #expect(signature.encodesPathTwice == !isS3)
        #expect(signature.coversSessionToken)
        #expect(signature.payload == .hashed)
        #expect(AWSSignature(service: service, region: "eu", payload: .unsigned).sendsPayloadHash)
    }

    @Test func aSignedURLLivesFromASecondToAWeek() async throws {
        let keys = AWSCredentials(accessKeyID: "k", secretAccessKey: "s")
        let signature = AWSSignature(service: "sqs", region: "eu")
        let now = Date(timeIntervalSince1970: 0)
        for (seconds, isSigned) in [(0.5, false), (1, true), (604_800, true), (604_800.5, false)] {
            let signed = try? await signature.presign(request(), with: keys, at: now, expiresAfter: .seconds(seconds))
            #expect((signed != nil) == isSigned, "\(seconds)")
        }
        for (path, start) in [("/x", "/x?X-Amz-"), ("/x?", "/x?X-Amz-"), ("/x?a=1", "/x?a=1&X-Amz-")] {
            let signed = try await signature.presign(request(path), with: keys, at: now, expiresAfter: .seconds(9))
            #expect(signed.head.path?.hasPrefix(start) == true, "\(signed.head.path ?? "")")
        }
        #expect(AWSSigningTime(now).text == "19700101T000000Z")
        #expect(AWSSigningTime(now).day == "19700101")
        #expect(AWSSigningTime(Date(timeIntervalSince1970: 1.9)).text == "19700101T000001Z")
    }

    @Test func aHeaderThatHoldsASecretIsHidden() {
        func hides(_ policy: RedactionPolicy, _ name: HTTPField.Name) -> Bool? {
            var environment = CallContext.Environment()
            environment.redaction = policy
            var signed = request()
            signed.hide(name, CallContext(for: signed, environment: environment))
            return signed.options.redaction?.isSensitive(name)
        }
        #expect(hides(.safeDefault, .eTag) == true)
        #expect(hides(.safeDefault, .authorization) == nil, "it is hidden already")
        #expect(hides(.disabled, .eTag) == nil, "nothing is hidden")
        var own = request()
        own.options.redaction = .disabled
        own.hide(.eTag, CallContext(for: own))
        #expect(own.options.redaction == .disabled)
    }

    @Test func aSignatureHasItsDefaults() {
        let signature = MessageSignature(key: SignatureKey(sharedSecret: Bytes([1])))
        #expect(signature.label == "sig1")
        #expect(!signature.namesAlgorithm)
        #expect(signature.lifetime == nil)
        #expect(signature.tag == nil)
        #expect(signature.components == [.method, .targetURI, .contentDigest])
        #expect(!MessageSignatureMiddleware(signature).sendsNonce)
    }

    @Test(arguments: [
        ("@method", "GET"), ("@target-uri", "https://h.test/a?b=1&c=%20+d&e"), ("@authority", "h.test"),
        ("@scheme", "https"),
        ("@request-target", "/a?b=1&c=%20+d&e"), ("@path", "/a"), ("@query", "?b=1&c=%20+d&e"), ("etag", "x, y"),
    ])
    func aComponentHasItsValue(name: String, value: String) throws {
        var headers = HTTPFields()
        for text in ["x", " y\t"] { headers.append(HTTPField(name: .eTag, value: text)) }
        let base = SignatureBase(request: request("/a?b=1&c=%20+d&e", headers))
        let (text, _) = try base.text([.init(name)], parameters: [:])
        #expect(String(decoding: text, as: UTF8.self) == "\"\(name)\": \(value)\n\"@signature-params\": (\"\(name)\")")
    }

    @Test func queryItemsAndMembersAreFoundByName() throws {
        let headers: HTTPFields = [.accept: "a=1, b=(2 3)"]
        let base = SignatureBase(request: request("/a?b=1&c=%20+d&e&b=2", headers))
        func value(_ component: MessageSignature.Component) -> String? {
            guard let (text, _) = try? base.text([component], parameters: [:]) else { return nil }
            let line = String(decoding: text, as: UTF8.self).prefix { $0 != "\n" }
            return line.firstRange(of: ": ").map { String(line[$0.upperBound...]) }
        }
        #expect(value(.queryItem("c")) == "%20%20d")
        #expect(value(.queryItem("e")) == "")
        #expect(value(.queryItem("b")) == nil, "twice, and never")
        #expect(value(.queryItem("x")) == nil, "twice, and never")
        #expect(value(.dictionaryMember("b", of: .accept)) == "(2 3)")
        #expect(value(.dictionaryMember("c", of: .accept)) == nil)
        #expect(value(.wrappedHeader(.accept)) == ":YT0xLCBiPSgyIDMp:")
        #expect(value(.header(.eTag)) == nil)
        #expect(value(.status) == nil)
        #expect(value(MessageSignature.Component.method.ofRequest) == nil)
        #expect(value(.init("Accept")) == nil)
        #expect(value(.init("@else")) == nil)
        #expect((try? base.text([.method, .method], parameters: [:])) == nil, "each once")
    }

    @Test func aResponseIsSignedWithItsRequest() throws {
        let head = ResponseHead(status: .notFound, headers: [.eTag: "x"])
        let base = SignatureBase(request: request(), response: head)
        let components: [MessageSignature.Component] = [
            .status, .header(.eTag), MessageSignature.Component.path.ofRequest,
        ]
        let (text, _) = try base.text(components, parameters: [:])
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("\"@status\": 404\n\"etag\": x\n\"@path\";req: /\n"))
        let alone = SignatureBase(request: nil, response: head)
        #expect((try? alone.text([MessageSignature.Component.path.ofRequest], parameters: [:])) == nil)
        #expect((try? alone.text([.path], parameters: [:])) == nil)
    }
}

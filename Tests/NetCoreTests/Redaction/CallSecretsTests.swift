import Foundation
import HTTPTypes
import Testing

@testable import NetCore

/// Secrets that a part of a call adds are hidden in all of its outputs, whichever part makes them.
@Suite struct CallSecretsTests {
    private let request = PreparedRequest(
        head: HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/a"))

    private func context() -> CallContext { CallContext(for: request) }

    @Test func anOutputMadeBeforeHidesALaterSecret() {
        let context = context()
        let policy = context.redaction(of: request)
        #expect(policy.redact(url: "https://h/secret+1") == "https://h/secret+1")
        context.hide("secret+1")
        #expect(policy.redact(url: "https://h/secret+1") == "https://h/<redacted>")
        #expect(policy.redact(["X-Note": "was secret+1"])["X-Note"] == "was <redacted>")
        let body = Array(#"{"a":"secret+1","b":"x secret%2B1"} secret\u002b1"#.utf8)
        let shown = String(decoding: policy.redact(body: body, contentType: "application/json"), as: UTF8.self)
        #expect(shown == #"{"a":"<redacted>","b":"x <redacted>"} secret\u002b1"#)
    }

    @Test func aShortSecretIsShown() {
        let context = context()
        context.hide("1234567")
        #expect(context.redaction(of: request).redact(url: "/1234567") == "/1234567")
    }

    @Test func theSecretsOfAnotherCallAreShown() {
        let (one, other) = (context(), context())
        one.hide("of-one-call")
        #expect(one.redaction(of: request).redact(url: "/of-one-call") == "/<redacted>")
        #expect(other.redaction(of: request).redact(url: "/of-one-call") == "/of-one-call")
    }

    @Test func aCredentialIsHiddenInParts() {
        let context = context()
        context.hide(credential: "Basic YWRhOmh1bnRlcjItYW5kLW1vcmU=")
        let policy = context.redaction(of: request)
        for text in ["YWRhOmh1bnRlcjItYW5kLW1vcmU=", "ada:hunter2-and-more", "hunter2-and-more"] {
            #expect(policy.hidingValues(in: "x \(text) y") == "x <redacted> y")
        }
    }

    @Test func errorsOfTheCallHideItToo() {
        let context = context()
        context.hide("s3cret-value")
        let response = NetError.FailedResponse(
            head: ResponseHead(status: .badRequest, headers: ["X-Note": "s3cret-value"]),
            body: Bytes(#"{"detail":"bad key s3cret-value"}"#.utf8))
        let error = context.error(
            .unacceptableStatus, phase: .validating, message: "the server says s3cret-value", response: response)
        #expect(error.message == "the server says <redacted>")
        #expect(!error.debugSummary.contains("s3cret-value"))
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("s3cret-value"))
        let bare = NetError(.unknown, phase: .receiving, message: "it says s3cret-value")
        #expect(bare.belonging(to: context.summary, elapsed: .zero).message == "it says <redacted>")
        let text = Response(value: "echo s3cret-value", head: response.head, call: context.summary).description
        #expect(!text.contains("s3cret-value"))
    }

    @Test func aPolicyThatHidesNothingStaysSo() {
        var environment = CallContext.Environment()
        environment.redaction = .disabled
        let context = CallContext(for: request, environment: environment)
        context.hide("s3cret-value")
        #expect(context.redaction(of: request).redact(url: "/s3cret-value") == "/s3cret-value")
        #expect(context.redaction(of: request) == .disabled)
    }

    @Test func joinedPoliciesHideWhatEitherHides() {
        let one = RedactionPolicy(headerNames: ["x-one"], queryNames: ["one"], placeholder: "***")
        var other = RedactionPolicy(headerNames: ["x-other"], queryNames: ["other"])
        other.pathRules = [.after("reset")]
        let both = one.joined(with: other)
        #expect(both.redact(["X-One": "a", "X-Other": "b"]) == ["X-One": "***", "X-Other": "***"])
        #expect(both.redact(url: "/reset/x?one=1&other=2") == "/reset/***?one=***&other=***")
        #expect(RedactionPolicy.disabled.joined(with: other) == .disabled)
        #expect(one.joined(with: .disabled) == one)
        #expect(one.joined(with: nil) == one)
    }

    @Test func aCutBodyMayEndWithinASecret() {
        let context = context()
        context.hide("0123456789")
        let exchange = CapturedExchange(
            recordedAt: Date(), duration: .zero, request: .init(method: .get, url: "https://h/"),
            outcome: .response(
                .init(
                    status: .ok,
                    body: CapturedBody(
                        pieces: [.init(Bytes("x 01".utf8), after: .zero), .init(Bytes("2345".utf8), after: .zero)],
                        isCut: true))))
        let shown = context.redaction(of: request).redact(exchange).response?.body.bytes
        #expect(shown.map { String(decoding: $0, as: UTF8.self) } == "x <redacted>")
    }

    @Test func aDecodingErrorDoesNotQuoteTheValueOfASecret() throws {
        enum Kind: String, Decodable { case one }
        struct Login: Decodable { var token: Kind }
        struct Other: Decodable { var kind: Kind }
        func cause<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> String {
            do {
                _ = try JSONCoding.standard.decode(Value.self, from: Bytes(json.utf8))
                return ""
            } catch {
                return
                    "\(try #require(NetError(.decoding, phase: .decoding, message: "no", underlying: error).underlying))"
            }
        }
        let hidden = try cause(Login.self, #"{"token":"s3cret"}"#)
        #expect(hidden.contains("token"))
        #expect(!hidden.contains("s3cret"))
        #expect(try cause(Other.self, #"{"kind":"other"}"#).contains("other"))
    }
}

import Foundation
import HTTPTypes
import Testing

@testable import NetCore

@Suite struct KnownSecretsTests {
    private func known(_ texts: String...) -> KnownSecrets {
        var secrets = KnownSecrets()
        for text in texts { secrets.note(text, by: .safeDefault) }
        return secrets
    }

    private func edits(_ text: String, _ secrets: KnownSecrets) -> [BodyEdit] {
        Array(text.utf8).withUnsafeBytes { secrets.edits(in: $0, by: .safeDefault) }
    }

    private func shown(_ text: String, _ secrets: KnownSecrets) -> String {
        String(decoding: edits(text, secrets).applied(to: Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        arguments: [
            ("12345678", "<redacted>"), ("12345678 12345678", "<redacted> <redacted>"),
            ("1234567812345678", "<redacted><redacted>"),
            ("112345678", "1<redacted>"), ("123456789", "<redacted>9"), ("1234567", "1234567"),
            ("1234567 12345678", "1234567 <redacted>"),
            ("", ""), ("11111111", "11111111"), ("x12345678", "x<redacted>"),
        ] as [(String, String)])
    func aSecretIsHiddenWhereverItStands(_ text: String, _ expected: String) {
        #expect(shown(text, known("12345678")) == expected)
    }

    @Test func theLongestSecretIsHiddenFirst() {
        let secrets = known("abcdefgh", "abcdefgh-ijk", "zyxwvuts")
        #expect(shown("zyxwvuts abcdefgh-ijk abcdefgh", secrets) == "<redacted> <redacted> <redacted>")
        #expect(edits("abcdefgh-ijk", known("abcdefgh", "abcdefgh-ijk")).map(\.range) == [0..<12])
        #expect(edits("abcdefgh-ijk", known("abcdefgh-ijk", "abcdefgh")).map(\.range) == [0..<12])
    }

    @Test func secretsThatOverlapAreHiddenTogether() {
        #expect(shown("x abcdefghijklmnop y", known("abcdefghijkl", "ijklmnop")) == "x <redacted> y")
    }

    @Test func shortTextsAndPlaceholdersAreNoSecrets() {
        #expect(shown("1234567", known("1234567")) == "1234567")
        #expect(shown("<redacted>", known("<redacted>", "redacted", "<redacted:0123abcd>")) == "<redacted>")
        #expect(edits("redacted", known("redacted")).isEmpty)
    }

    @Test func noMoreThanAHandfulAreKept() {
        var secrets = KnownSecrets()
        for number in 0..<258 {
            secrets.note("secret-\(100 + number)")
            secrets.note("secret-\(100 + number)")
        }
        let text = (0..<258).map { "secret-\(100 + $0)" }.joined(separator: " ")
        #expect(edits(text, secrets).count == 256)
        #expect(shown("secret-355 secret-356", secrets) == "<redacted> secret-356")
    }

    @Test func theSecretsOfARequestAreItsCredentials() {
        let request = CapturedExchange.Request(
            method: .get, url: "https://h/?token=of%2Dquery-1&a=of-query-2&code&pin=of+query-3",
            headers: [
                .authorization: "Bearer of-header-1", .cookie: "sid=of-cookie-1; b=of-cookie-2", .accept: "of-accept-1",
                "X-API-Key": "a=of-header-2,of-header-3;of-header-4",
            ])
        var secrets = KnownSecrets()
        secrets.note(request, by: .safeDefault)
        let hidden = [
            "of-header-1", "Bearer of-header-1", "of-cookie-1", "of-cookie-2", "of-header-2", "of-header-3",
            "of-header-4",
            "of%2Dquery-1", "of-query-1", "of query-3",
        ]
        for text in hidden { #expect(shown(text, secrets) == "<redacted>", "\(text)") }
        for text in ["of-query-2", "of-accept-1"] { #expect(shown(text, secrets) == text) }
        var others = KnownSecrets()
        others.note(request, hasCookies: false, by: .safeDefault)
        #expect(shown("of-cookie-1 of-header-1", others) == "of-cookie-1 <redacted>")
    }

    @Test(
        arguments: [
            ("x 0123456789", "x <redacted>"), ("x 012345678", "x <redacted>"), ("x 0123", "x <redacted>"),
            ("x 012", "x 012"),
            ("0123", "<redacted>"), ("012", "012"), ("0123x", "0123x"), ("", ""),
        ] as [(String, String)])
    func theBeginningOfASecretIsFoundWhereATextWasCut(_ text: String, _ expected: String) {
        let secrets = known("0123456789")
        let hidden = Array(shown(text, secrets).utf8)
        let beginning = hidden.withUnsafeBytes { secrets.beginning(atEndOf: $0) }
        let end = beginning == 0 ? "" : "<redacted>"
        #expect(String(decoding: hidden.dropLast(beginning), as: UTF8.self) + end == expected)
    }
}

@Suite struct SocketRedactionTests {
    private let handshake = CapturedExchange.Request(
        method: .get, url: "wss://h/?token=of-the-handshake", headers: [.authorization: "Bearer of-the-header"])

    private func redaction(_ policy: RedactionPolicy = .safeDefault, _ subprotocol: String? = nil) -> SocketRedaction {
        SocketRedaction(handshake, subprotocol: subprotocol, policy: policy)
    }

    @Test func secretsOfTheHandshakeAreHiddenInEveryMessage() {
        var redaction = redaction(.safeDefault, "bearer.of-the-subprotocol")
        for text in ["of-the-handshake", "of-the-header", "bearer.of-the-subprotocol"] {
            #expect(redaction.redact(.text("x \(text)"), from: .server) == .text("x <redacted>"))
            #expect(redaction.redact(.binary(Bytes(text.utf8)), from: .client) == .binary(Bytes("<redacted>".utf8)))
        }
        var without = self.redaction()
        #expect(without.redact(.text("bearer.of-the-subprotocol"), from: .server) == .text("bearer.of-the-subprotocol"))
    }

    @Test func secretsSentByTheClientAreRedactedInLaterMessages() {
        var redaction = redaction()
        #expect(redaction.redact(.text("known-to-both"), from: .server) == .text("known-to-both"))
        #expect(
            redaction.redact(.text(#"{"token":"known-to-both"}"#), from: .client) == .text(#"{"token":"<redacted>"}"#))
        #expect(redaction.redact(.text("known-to-both"), from: .server) == .text("<redacted>"))
        #expect(
            redaction.redact(.text(#"{"token":"of-the-server"}"#), from: .server) == .text(#"{"token":"<redacted>"}"#))
        #expect(redaction.redact(.text("of-the-server"), from: .server) == .text("of-the-server"))
    }

    @Test func inBytesThatAreNoTextOnlyKnownSecretsAreHidden() {
        var redaction = redaction()
        let bytes = Bytes([0xff]) + Bytes(#"{"token":"x"} of-the-header"#.utf8)
        let hidden = Bytes([0xff]) + Bytes(#"{"token":"x"} <redacted>"#.utf8)
        #expect(redaction.redact(.binary(bytes), from: .client) == .binary(hidden))
    }

    @Test func aMessageThatWasCutMayEndWithinASecret() {
        var redaction = redaction()
        #expect(redaction.redact(.text("x of-the-hea"), from: .server) == .text("x of-the-hea"))
        #expect(redaction.redact(.text("x of-the-hea"), from: .server, isCut: true) == .text("x <redacted>"))
    }

    @Test func aDisabledPolicyShowsEverything() {
        var redaction = redaction(.disabled)
        #expect(redaction.redact(.text("of-the-header"), from: .server) == .text("of-the-header"))
        #expect(redaction.redact(reason: "r") == "r")
        #expect(self.redaction().redact(reason: "r") == "<redacted>")
        #expect(self.redaction().redact(reason: "").isEmpty)
    }
}

@Suite struct SocketExchangeRedactionTests {
    private func exchange(_ ending: RecordedSocket.Ending?) -> CapturedExchange {
        let socket = RecordedSocket(
            [
                .init(.client, .text(#"{"token":"known-to-both"}"#)),
                .init(.server, .text("known-to-both"), after: .seconds(1)),
            ],
            ending: ending)
        return CapturedExchange(
            recordedAt: .init(timeIntervalSince1970: 0), duration: .zero,
            request: .init(method: .get, url: "wss://h/", headers: [.secWebSocketProtocol: "chat, key.SECRET"]),
            outcome: .response(
                .init(
                    status: .switchingProtocols, headers: [.secWebSocketProtocol: "key.SECRET"],
                    trailers: [.setCookie: "SECRET"], socket: socket)))
    }

    @Test func messagesSubprotocolAndReasonAreRedacted() {
        let redacted = RedactionPolicy.safeDefault.redact(
            exchange(.closed(.goingAway, reason: "SECRET", by: .server)), subprotocol: "key.SECRET")
        #expect(redacted.socket?.messages.map(\.message) == [.text(#"{"token":"<redacted>"}"#), .text("<redacted>")])
        #expect(redacted.socket?.messages.map(\.delay) == [.zero, .seconds(1)])
        #expect(redacted.socket?.ending == .closed(.goingAway, reason: "<redacted>", by: .server))
        #expect(redacted.request.headers[.secWebSocketProtocol] == "chat, <redacted>")
        #expect(redacted.response?.headers[.secWebSocketProtocol] == "<redacted>")
        #expect(redacted.response?.trailers?[.setCookie] == "<redacted>")
        let failed = RecordedSocket.Ending.failed(.init(code: "c", message: "m"))
        #expect(RedactionPolicy.safeDefault.redact(exchange(failed)).socket?.ending == failed)
        #expect(
            RedactionPolicy.safeDefault.redact(exchange(nil)).request.headers[.secWebSocketProtocol]
                == "chat, key.SECRET")
        #expect(RedactionPolicy.disabled.redact(exchange(nil), subprotocol: "key.SECRET") == exchange(nil))
        #expect(RedactionPolicy.disabled.redact(exchange(nil).request) == exchange(nil).request)
    }

    @Test func secretsOfTheRequestAreHiddenInTheAnswerBesideItsOwn() {
        let request = CapturedExchange.Request(
            method: .get, url: "https://h/", headers: [.authorization: "Bearer of-the-header"])
        func shown(_ text: String) -> String? {
            let exchange = CapturedExchange(
                recordedAt: .init(timeIntervalSince1970: 0), duration: .zero, request: request,
                outcome: .response(.init(status: .ok, body: CapturedBody(Bytes(text.utf8)))))
            return RedactionPolicy.safeDefault.redact(exchange).response.map {
                String(decoding: $0.body.bytes, as: UTF8.self)
            }
        }
        #expect(shown("of-the-header {\"pin\":1} of-the-header") == "<redacted> {\"pin\":0} <redacted>")
        #expect(shown(#"{"token":"of-the-header"}"#) == #"{"token":"<redacted>"}"#)
        #expect(shown("of-the-heade") == "of-the-heade")
        #expect(shown("") == "")
    }
}

import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetClient

/// The parsing of responses of a token endpoint.
@Suite struct OAuthValueTests {
    private func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    private func device(_ lifetime: String, _ interval: String? = nil) throws -> OAuthDevice {
        let more = interval.map { ",\"interval\":\($0)" } ?? ""
        let text = """
            {"device_code":"d","user_code":"u","verification_uri":"https://x.test","expires_in":\(lifetime)\(more)}
            """
        return try decode(text, as: OAuthDeviceResponse.self).device(receivedAt: .seconds(7))
    }

    @Test func aDeviceHasItsTimes() throws {
        for (text, seconds) in [("0", 1), ("-5", 1), ("0.5", 1), ("1", 1), ("600", 600), ("1e9", 1e9), ("2e9", 1e9)] {
            #expect(try device(text).lifetime == .seconds(seconds), "\(text)")
            #expect(try device("600", text).interval == .seconds(seconds), "\(text)")
        }
        let plain = try device("600")
        #expect(plain.interval == .seconds(5))
        #expect(plain.received == .seconds(7))
        #expect(plain.code == "d")
        #expect(plain.userCode == "u")
        #expect(plain.completePage == nil)
    }

    @Test func thePageMayHaveItsOldName() throws {
        let both = """
            {"device_code":"d","user_code":"u","verification_uri":"new","verification_url":"old","expires_in":1,\
            "verification_uri_complete":"whole"}
            """
        let device = try decode(both, as: OAuthDeviceResponse.self).device(receivedAt: .zero)
        #expect(device.page == "old")
        #expect(device.completePage == "whole")
        #expect(throws: DecodingError.self) {
            try decode("{\"device_code\":\"d\",\"user_code\":\"u\",\"expires_in\":1}", as: OAuthDeviceResponse.self)
        }
    }

    @Test func aTokenIsABearerTokenUnlessItSaysOtherwise() throws {
        let date = Date(timeIntervalSince1970: 1000)
        func end(_ lifetime: String) throws -> Double? {
            let token: OAuthToken = try decode(#"{"access_token":"t","expires_in":\#(lifetime)}"#)
            return try token.credential(receivedAt: date).expiration?.timeIntervalSince1970
        }
        for (text, expected): (String, Double?) in [
            ("60", 1060), ("\"60\"", 1060), ("0", 1000), ("-5", 1000), ("1e12", nil), ("9e11", 900_000_001_000),
            ("\"soon\"", nil), ("\"inf\"", nil), ("null", nil),
        ] {
            #expect(try end(text) == expected, "\(text)")
        }
        let token: OAuthToken = try decode(#"{"access_token":"t","refresh_token":"r","scope":"a b"}"#)
        #expect(token.tokenType == "Bearer")
        #expect(token.scope == "a b")
        #expect("\(token)" == "Bearer <redacted>")
        #expect(try token.credential(receivedAt: date).renewal == "r")
        let other: OAuthToken = try decode(#"{"access_token":"t","token_type":"BEARER"}"#)
        #expect(try other.credential(receivedAt: date).value == "Bearer t")
        let mac: OAuthToken = try decode(#"{"access_token":"t","token_type":"mac"}"#)
        #expect(throws: NetError.self) { try mac.credential(receivedAt: date) }
    }

    @Test func anErrorHidesWhatWasSent() {
        var error = OAuthError(
            error: "short12 or longer12", details: "short12 longer12", page: "https://x.test/short12")
        error.hide(["short12", "longer12", ""])
        #expect(error.error == "short12 or <redacted>")
        #expect(error.details == "<redacted> <redacted>")
        #expect(error.page == "https://x.test/<redacted>")
        var encoded = OAuthError(error: "a%20b%2Fcd a+b%2Fcd", details: "a b/cd")
        encoded.hide(["a b/cd"])
        #expect(encoded.error == "<redacted> <redacted>")
        #expect(encoded.details == "<redacted>")
        var none = OAuthError(error: "invalid_grant")
        none.hide(["x"])
        #expect(none == OAuthError(error: "invalid_grant"))
        #expect(none.details == nil)
        #expect(none.page == nil)
    }

    @Test func theStatusSaysWhetherTheServerOrTheCredentialsAreToBlame() {
        let error = OAuthError(error: "x")
        for (status, code): (Int?, NetError.Code) in [
            (nil, .authentication), (400, .authentication), (428, .authentication), (429, .unacceptableStatus),
            (430, .authentication), (499, .authentication), (500, .unacceptableStatus), (503, .unacceptableStatus),
        ] {
            #expect(error.code(status: status) == code, "\(status ?? 0)")
        }
    }

    @Test func textOfAServerIsShownShortAndOnOneLine() {
        func shown(_ text: String) -> String { "\(OAuthError(error: text))" }
        let start = "the token endpoint returned "
        #expect(shown("a\nb\u{1f}c\u{7f}d e~") == start + "a b c d e~")
        // Words with a length that isn't typical of a secret.
        let words = { (count: Int) in String(String(repeating: "word ", count: 100).prefix(count)) }
        #expect(shown(words(300)) == start + words(300))
        #expect(shown(words(299)) == start + words(299))
        #expect(shown(words(301)) == start + words(300) + "…")
        let full = OAuthError(error: "x", details: "it is over", page: "https://x.test/e")
        #expect("\(full)" == start + "x: it is over (see https://x.test/e)")
        #expect(Mirror(reflecting: full).children.map { $0.label ?? "" } == ["error", "details", "page"])
    }

    @Test func anEndpointMayHaveAQueryOfItsOwn() {
        let relative = OAuthEndpoint(text: "/token?tenant=b%20c&flag&&x=1=2")
        #expect(OAuthEndpoint(text: "/token").path == OAuthEndpoint(text: "token").path)
        #expect(relative.query.map(\.name) == ["tenant", "flag", "x"])
        #expect(
            relative.query.map(\.value) == ["b%20c", nil, "1=2"] || relative.query.map(\.value) == ["b c", nil, "1=2"])
        let absolute = OAuthEndpoint(text: "https://x.test/token?a=1")
        #expect(Array(absolute.query).isEmpty)
        #expect(Array(OAuthEndpoint(text: "token").query).isEmpty)
        #expect(absolute.options("n").maximumResponseBytes == 1 << 20)
        #expect(absolute.options("n").metadata.security == SecurityRequirements.none)
    }

    @Test func aRedirectIsReadUpToSoManyItems() throws {
        let login = OAuthLogin(url: "https://x.test/a?b", redirectURL: "app:/", state: "s", issuer: nil, verifier: "v")
        let odd = (0..<62).map { "p\($0)" }.joined(separator: "&")
        #expect(try login.code(in: "app:/?\(odd)&state=s&code=c") == "c")
        #expect(throws: NetError.self) { try login.code(in: "app:/?\(odd)&p62&state=s&code=c") }
        #expect(throws: NetError.self) { try login.code(in: "app:/") }
        #expect(try login.code(in: "app:/?state=s&iss=else&code=a=b&empty=") == "a=b", "no issuer was named")
        #expect("\(login)" == "login at https://x.test/a")
        #expect(Bytes([251, 255, 254]).base64URL == "-__-")
    }
}

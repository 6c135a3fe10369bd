import HTTPTypes
import NetCore
import Testing

/// The names that the safe default hides: in queries, forms, JSON and headers.
@Suite struct SensitiveNameTests {
    private let policy = RedactionPolicy.safeDefault

    static let secrets = [
        "pin", "otp", "totp", "mfa_code", "verification_code", "pwd", "pass", "cvv", "cvc", "ssn", "card_number",
        "userPassword", "dbPassword", "passcode", "newPin", "user-pin", "USER_PIN", "userPIN", "dbPass", "smtp_pass",
        "APIPass", "smsOtp", "cvv2", "password2", "pin_1", "cardCvc", "otpCode", "mfaCode", "MFACode",
        "recoveryCodes", "backup-codes", "securityCode", "cardNumber", "creditCardNumber", "clientSecret",
        "client-secret", "githubToken", "user_access_token", "apiKey", "x-api-key", "awsSecretAccessKey",
        "userpassword",
        "dbpasswd", "sessionId", "auth", "basicAuth", "jwt", "credential", "userCredentials", "socialSecurityNumber",
        "pwd1", "passwordHash", "password-confirmation", "old_password", "privateKey", "SAMLResponse",
    ]

    static let harmless = [
        "passenger", "passengers", "compass", "COMPASS", "Compass", "bypass", "spin", "shipping", "shippingCode",
        "opinion",
        "pinned", "spinner", "author", "authority", "oauthProvider", "tokens", "max_tokens", "tokenType", "token_count",
        "nextPageToken", "next_token", "continuation-token", "NextContinuationToken", "passengerName", "crosspin",
        "secretary", "passwordLength", "country", "currency", "status", "page", "pass_rate", "pinboard", "encompass",
        "lesson", "keyboard", "hotkey", "sortKey",
    ]

    private func edited(_ text: String, _ type: String) -> String {
        let bytes = Array(text.utf8)
        return String(decoding: policy.edits(in: bytes, contentType: type).applied(to: bytes), as: UTF8.self)
    }

    @Test(arguments: secrets) func aSecretNameIsHiddenEverywhere(name: String) throws {
        #expect(policy.redact(url: "https://h/?a=1&\(name)=SECRET") == "https://h/?a=1&\(name)=<redacted>")
        #expect(policy.redact(url: "https://h/?user[\(name)]=SECRET") == "https://h/?user[\(name)]=<redacted>")
        #expect(edited(#"{"\#(name)":"SECRET","a":1}"#, "application/json") == #"{"\#(name)":"<redacted>","a":1}"#)
        #expect(edited(#"{"\#(name)":1234}"#, "application/json") == #"{"\#(name)":0}"#)
        #expect(!edited("a=1&\(name)=SECRET", "application/x-www-form-urlencoded").contains("SECRET"))
    }

    @Test(arguments: harmless) func anotherNameIsShown(name: String) {
        let (url, json, form) = ("https://h/?\(name)=1", #"{"\#(name)":"1"}"#, "\(name)=1")
        #expect(policy.redact(url: url) == url)
        #expect(edited(json, "application/json") == json)
        #expect(edited(form, "application/x-www-form-urlencoded") == form)
    }

    @Test(arguments: ["session", "sessionid", "auth", "ticket", "credential", "PHPSESSID", "JSESSIONID", "code", "sig"])
    func aSecretOfAQueryIsHidden(name: String) {
        #expect(policy.redact(url: "/cb?\(name)=SECRET&x=1") == "/cb?\(name)=<redacted>&x=1")
    }

    @Test(
        arguments: [
            "X-Client-Secret", "X-Refresh-Token", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "X-Auth",
            "X-Auth-Key",
            "X-Amz-Security-Token", "X-Session-Id", "X-User-Token", "X-Password", "X-OTP", "CF-Access-Client-Secret",
            "X-Forwarded-Authorization", "DD-API-KEY", "X-RapidAPI-Key", "Circle-Token",
            "X-Goog-Authenticated-User-JWT",
        ])
    func aSecretFieldIsHidden(name: String) throws {
        let field = try #require(HTTPField.Name(name))
        #expect(policy.isSensitive(field))
        #expect(policy.redact([field: "SECRET"])[field] == "<redacted>")
    }

    @Test(
        arguments: [
            "Accept", "Idempotency-Key", "Sec-WebSocket-Key", "X-Request-ID", "WWW-Authenticate",
            "X-Continuation-Token",
            "Authority", "Surrogate-Key", "X-Author", "Signature-Input",
        ])
    func anotherFieldIsShown(name: String) throws {
        #expect(!policy.isSensitive(try #require(HTTPField.Name(name))))
    }

    @Test func aPolicyOfYourOwnHidesOnlyWhatItNames() throws {
        var policy = RedactionPolicy(headerNames: ["X-Mine"], queryNames: ["pin", "invitation"])
        #expect(
            policy.redact(url: "?cardPin=1&my_invitation=2&userPassword=3")
                == "?cardPin=<redacted>&my_invitation=2&userPassword=3")
        policy.queryNames = ["password"]
        #expect(policy.redact(url: "?cardPin=1&userPassword=3") == "?cardPin=1&userPassword=<redacted>")
        #expect(!RedactionPolicy.disabled.isSensitive("X-User-Token"))
    }
}

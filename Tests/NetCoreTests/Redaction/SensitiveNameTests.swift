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
        "X-Hub-Signature-256",
        "xHubSignature256", "webhook_signature", "DD-APPLICATION-KEY", "ddApplicationKey", "dd_application_key",
        "consumerKey", "write-key", "sentryDsn", "SENTRY_DSN", "dsn", "transmissionSig", "awsAccessKeyId",
        "access_tokens",
        "accessTokens", "refresh-tokens", "apiKeys", "passcodes", "connection_string", "connectionString",
        "DATABASE_URL",
        "redisUrl", "mongodb-uri", "webhookUrl", "slack_webhook_url", "webhook-urls", "presigned_url", "magicLink",
        "inviteLinks",
    ]

    static let harmless = [
        "passenger", "passengers", "compass", "COMPASS", "Compass", "bypass", "spin", "shipping", "shippingCode",
        "opinion",
        "pinned", "spinner", "author", "authority", "oauthProvider", "max_tokens", "completionTokens", "tokenType",
        "token_count",
        "nextPageToken", "next_token", "continuation-token", "NextContinuationToken", "passengerName", "crosspin",
        "secretary", "passwordLength", "country", "currency", "status", "page", "pass_rate", "pinboard", "encompass",
        "lesson", "keyboard", "hotkey", "sortKey", "method_signature", "emailSignature", "imdb_url", "preset_url",
        "assigned_url", "avatar_url", "html_url", "project_key", "design",
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

    /// An object or a number under such a name isn't a secret.
    static let texts = ["tokens", "data_tokens", "assertions", "signatures", "webhook", "webhooks", "slackWebhook"]

    @Test(arguments: texts) func ofSomeNamesOnlyTextsAreHidden(name: String) {
        #expect(policy.redact(url: "https://h/?\(name)=SECRET") == "https://h/?\(name)=<redacted>")
        let (json, form) = ("application/json", "application/x-www-form-urlencoded")
        #expect(edited(#"{"\#(name)":"SECRET","a":"1"}"#, json) == #"{"\#(name)":"<redacted>","a":"1"}"#)
        #expect(
            edited(#"{"\#(name)":["A","B",1],"a":2}"#, json) == #"{"\#(name)":["<redacted>","<redacted>",1],"a":2}"#)
        let shown = #"[{"\#(name)":15,"a":"x"},{"\#(name)":{"id":7,"a":"x"}},{"\#(name)":[{"a":"x"},"y"]}]"#
        #expect(edited(shown, json) == shown)
        #expect(!edited("a=1&\(name)=SECRET", form).contains("SECRET"))
        let xml = "<x><\(name)>SECRET</\(name)><\(name)><a>x</a></\(name)></x>"
        #expect(edited(xml, "application/xml") == xml.replacing("SECRET", with: "&lt;redacted&gt;"))
    }

    @Test func aNumberOfTokensIsShown() {
        #expect(policy.redact(url: "https://h/?tokens=500&token=500") == "https://h/?tokens=500&token=<redacted>")
        let form = "application/x-www-form-urlencoded"
        #expect(edited("tokens=500&token=500", form) == "tokens=500&token=%3Credacted%3E")
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
            "X-Goog-Authenticated-User-JWT", "X-Hub-Signature", "X-Hub-Signature-256", "Stripe-Signature",
            "X-Signature-Ed25519", "X-Shopify-Hmac-Sha256", "Paypal-Transmission-Sig", "DD-APPLICATION-KEY",
            "X-Application-Key", "X-License-Key", "X-Webhook-Url", "Sentry-DSN", "X-Whatever-Key",
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
            "Authority", "Surrogate-Key", "X-Author", "Signature-Input", "X-Cache-Key", "X-Event-Key", "Keep-Alive",
            "Monkey",
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

internal import NetCore

/// A login on another device (RFC 8628): the code to show to the user, and the page where it is entered.
///
/// ``OAuthClient/device(at:scopes:)`` requests it, and ``OAuthClient/token(for:)`` waits for the user. Its description
/// doesn't show the codes.
///
///     let oauth = OAuthClient(tokenURL: "token", clientID: "tv", client: client)
///     let device = try await oauth.device(at: "device_authorization")
///     print("Open \(device.page) and enter \(device.userCode)")
public struct OAuthDevice: Sendable {
    /// The code that the user enters.
    public let userCode: String
    /// The page where the user enters it.
    public let page: String
    /// The same page with the code already entered, for a QR code; nil if the server has none.
    public let completePage: String?
    /// The time in which the user must enter the code.
    public let lifetime: Duration
    /// The minimum pause between two requests for the token.
    public let interval: Duration
    /// The secret that the token is requested with.
    let code: String
    /// The time at which the response arrived, on the client's clock.
    let received: Duration
}

extension OAuthDevice: CustomStringConvertible, CustomReflectable {
    /// Only the page.
    public var description: String { "device login at \(RedactionPolicy.safeDefault.redact(url: page))" }
    public var customMirror: Mirror { Mirror(self, children: ["device": description], displayStyle: .struct) }
}

/// The response of a device authorization endpoint (RFC 8628 section 3.2).
struct OAuthDeviceResponse: Decodable, Sendable {
    let code, userCode, page: String
    let completePage: String?
    let lifetime: Double
    let interval: Double?

    private enum CodingKeys: String, CodingKey {
        case code = "device_code"
        case userCode = "user_code"
        case page = "verification_uri"
        case oldPage = "verification_url"
        case completePage = "verification_uri_complete"
        case lifetime = "expires_in"
        case interval
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        userCode = try container.decode(String.self, forKey: .userCode)
        // The name in the drafts, which some servers still use.
        page =
            try container.decodeIfPresent(String.self, forKey: .oldPage)
            ?? container.decode(String.self, forKey: .page)
        completePage = try container.decodeIfPresent(String.self, forKey: .completePage)
        lifetime = try container.decode(Double.self, forKey: .lifetime)
        interval = try container.decodeIfPresent(Double.self, forKey: .interval)
    }

    func device(receivedAt now: Duration) -> OAuthDevice {
        func seconds(_ value: Double) -> Duration { .seconds(value.isFinite ? min(max(value, 1), 1e9) : 1e9) }
        return OAuthDevice(
            userCode: userCode, page: page, completePage: completePage, lifetime: seconds(lifetime),
            interval: seconds(interval ?? 5), code: code, received: now)
    }
}

/// The rules for following redirects (RFC 9110 section 15.4).
///
///     var configuration = HTTPClient.Configuration(baseURL: "https://api.example.com")
///     configuration.redirects = .follow(limit: 5)
///     let client = HTTPClient(configuration: configuration)
///     let options = RequestOptions(validation: .codes([302]), redirects: .manual)  // one call gets the 302
public struct RedirectPolicy: Sendable, Hashable {
    /// The maximum number of redirects per call; one more is an error. nil follows no redirects.
    public var limit: Int?
    /// True to follow a redirect from https to http. Default false: such a redirect is an error.
    public var allowsDowngrade: Bool

    /// Returns a redirect as the response; the caller decides whether to follow it.
    public static let manual = RedirectPolicy(limit: nil, allowsDowngrade: false)

    /// Follows 301, 302, 303, 307 and 308.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of redirects per call. Default 20, as in the Fetch standard.
    ///   - allowsDowngrade: True to follow a redirect from https to http. Default false.
    public static func follow(limit: Int = 20, allowsDowngrade: Bool = false) -> RedirectPolicy {
        RedirectPolicy(limit: max(0, limit), allowsDowngrade: allowsDowngrade)
    }
}

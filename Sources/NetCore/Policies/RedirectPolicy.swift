/// Whether a client goes where a redirect leads (RFC 9110 section 15.4), and how far.
///
///     var configuration = HTTPClient.Configuration(baseURL: "https://api.example.com")
///     configuration.redirects = .follow(limit: 5)
///     let client = HTTPClient(configuration: configuration)
///     let options = RequestOptions(validation: .codes([302]), redirects: .manual)  // one call gets the 302
public struct RedirectPolicy: Sendable, Hashable {
    /// The most redirects of one call, one more is an error; nil follows none.
    public var limit: Int?
    /// Whether a redirect may lead from https to http. Default false: it is an error.
    public var allowsDowngrade: Bool

    /// Hands out a redirect as the response that it is, for the caller to follow or not.
    public static let manual = RedirectPolicy(limit: nil, allowsDowngrade: false)

    /// Follows 301, 302, 303, 307 and 308.
    ///
    /// - Parameters:
    ///   - limit: The most redirects of one call. Default 20, as in the Fetch standard.
    ///   - allowsDowngrade: Whether one may lead from https to http. Default false.
    public static func follow(limit: Int = 20, allowsDowngrade: Bool = false) -> RedirectPolicy {
        RedirectPolicy(limit: max(0, limit), allowsDowngrade: allowsDowngrade)
    }
}

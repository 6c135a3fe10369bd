/// A redirect that the policy would follow, for a decision by the caller.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.onRedirect = { redirect in
///             redirect.request.head.authority == "api.example.com" ? .follow() : .stop
///         }
///     }
public struct ProposedRedirect: Sendable {
    /// The head of the response.
    public let head: ResponseHead
    /// The request that received it.
    public let original: PreparedRequest
    /// The request that would be sent: without headers that must not go to another origin, and without the body if the
    /// method changes.
    public let request: PreparedRequest
    /// The redirects that the call has already followed.
    public let history: [Redirect]

    /// Creates a redirect, for example to test a decision.
    public init(head: ResponseHead, original: PreparedRequest, request: PreparedRequest, history: [Redirect] = []) {
        self.head = head
        self.original = original
        self.request = request
        self.history = history
    }
}

/// A caller's decision about a redirect.
public enum RedirectChoice: Sendable {
    /// The redirect is followed.
    ///
    /// - Parameter with: The request to send instead of the proposed one; nil sends the proposed one. If it goes to
    ///   another origin, the headers that it shares with the original request and that may contain secrets are removed.
    ///   If it can't be sent, or leads from https to http against the policy, the call throws `.redirect`.
    case follow(with: PreparedRequest? = nil)
    /// The redirect is the call's response.
    case stop
    /// The call fails with the code `redirect` and this message, which must not contain secrets.
    case fail(String)
}

extension ProposedRedirect: CustomStringConvertible, CustomReflectable {
    /// The status, and both requests with redacted URLs: `302: GET https://host/old → GET https://host/new`.
    public var description: String { "\(head.status.code): \(original) → \(request)" }

    /// Only the description, since headers may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["redirect": description]) }
}

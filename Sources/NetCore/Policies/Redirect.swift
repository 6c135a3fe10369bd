package import HTTPTypes

/// One redirect that a call followed.
///
///     let response = try await client.response(GetUser(id: 7))
///     for redirect in response.history { print(redirect) }  // 302 https://h/old
public struct Redirect: Sendable, Hashable, CustomStringConvertible {
    /// The status of the redirect.
    public var status: Int
    /// The redacted URL that responded with the redirect.
    public var url: String

    /// Creates a redirect; `url` must already be redacted.
    public init(status: Int, url: String) {
        self.status = status
        self.url = url
    }

    public var description: String { "\(status) \(url)" }
}

/// The redirects of a call, including those to https for a host that requires it, and the last request.
package final class RedirectTrail: Sendable, CustomReflectable {
    package let history: [Redirect]
    package let head: HTTPRequest
    /// The fragment of the last URL, or of an earlier one if it had none (RFC 9110 section 10.2.2).
    package let fragment: String?

    package init(history: [Redirect], head: HTTPRequest, fragment: String?) {
        self.history = history
        self.head = head
        self.fragment = fragment
    }

    /// Only the history, since a URL may contain a secret.
    package var customMirror: Mirror { Mirror(self, children: ["history": history]) }
}

package import HTTPTypes

/// One redirect that a call followed.
///
///     let response = try await client.response(GetUser(id: 7))
///     for redirect in response.history { print(redirect) }  // 302 https://h/old
public struct Redirect: Sendable, Hashable, CustomStringConvertible {
    /// The status that led on.
    public var status: Int
    /// The URL that answered so, redacted.
    public var url: String

    /// Puts the parts together; `url` must be redacted.
    public init(status: Int, url: String) {
        self.status = status
        self.url = url
    }

    public var description: String { "\(status) \(url)" }
}

/// Where a call was led, by redirects or by a rule that a host wants https: what it passed, and the request that was answered
/// in the end.
package final class RedirectTrail: Sendable, CustomReflectable {
    package let history: [Redirect]
    package let head: HTTPRequest
    /// The fragment of the last URL, or of one before it where that had none (RFC 9110 section 10.2.2).
    package let fragment: String?

    package init(history: [Redirect], head: HTTPRequest, fragment: String?) {
        self.history = history
        self.head = head
        self.fragment = fragment
    }

    /// The history alone: a URL may hold a secret.
    package var customMirror: Mirror { Mirror(self, children: ["history": history]) }
}

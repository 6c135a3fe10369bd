package import NetCore

/// The error of a token endpoint that refused a request (RFC 6749 section 5.2).
///
/// If a credential renewal throws it, the call fails with ``NetCore/NetError/Code/authentication`` and this error's
/// text. The text is shown without anything that looks like a credential, and ``OAuthClient`` removes the secrets that
/// it has sent.
public struct OAuthError: Error, Sendable, Hashable, Decodable {
    /// The error code: `invalid_client`, `invalid_grant`, `invalid_scope` …
    public var error: String
    /// The server's human-readable explanation; nil if there is none.
    public var details: String?
    /// The address of a page with more information; nil if there is none.
    public var page: String?

    private enum CodingKeys: String, CodingKey {
        case error
        case details = "error_description"
        case page = "error_uri"
    }

    /// Hides secrets that were sent to the endpoint, percent-encoded or not.
    mutating func hide(_ secrets: [String]) {
        let placeholder = RedactionPolicy.safeDefault.placeholder
        for secret in secrets where !secret.isEmpty {
            for text in [secret, PercentEncoding.encode(secret), PercentEncoding.formEncode(secret)] {
                // A short secret may be part of an error code.
                if text.count >= 8 { error = error.replacing(text, with: placeholder) }
                details = details?.replacing(text, with: placeholder)
                page = page?.replacing(text, with: placeholder)
            }
        }
    }
}

extension OAuthError: CustomStringConvertible, CustomReflectable {
    /// The code, the explanation and the page, without anything that looks like a credential.
    public var description: String {
        let details = details.map { ": \(ServerWords.shown($0))" } ?? ""
        let page = page.map { " (see \(ServerWords.shown($0)))" } ?? ""
        return "the token endpoint returned \(ServerWords.shown(error))\(details)\(page)"
    }

    /// The code, the explanation and the page as parts, with the same redaction.
    public var customMirror: Mirror {
        let parts: KeyValuePairs<String, Any> = [
            "error": ServerWords.shown(error), "details": details.map { ServerWords.shown($0) } as Any,
            "page": page.map { ServerWords.shown($0) } as Any,
        ]
        return Mirror(self, children: parts, displayStyle: .struct)
    }
}

extension OAuthError: CodedError {
    /// Returns `.authentication`, or `.unacceptableStatus` if the endpoint itself is in trouble (429 or 5xx).
    package func code(status: Int?) -> NetError.Code {
        guard let status, status >= 500 || status == 429 else { return .authentication }
        return .unacceptableStatus
    }
}

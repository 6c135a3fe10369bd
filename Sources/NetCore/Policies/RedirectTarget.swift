/// The URL that a `Location` header refers to.
struct RedirectTarget {
    let url: BaseURL
    let fragment: String?

    enum Problem: Error {
        /// The URL can't be requested.
        case invalid
        /// The scheme is neither http nor https.
        case scheme(String)
    }

    /// Resolves a location from ``escaped(_:)`` against the URL of the request. User and password are removed, because
    /// they don't come from the caller. If the host requires https, the scheme becomes https. For a WebSocket, `ws` and
    /// `wss` become `http` and `https`.
    init(
        _ location: String, from base: String, opensWebSocket: Bool = false, wantsHTTPS: (_ host: String) -> Bool
    ) throws(Problem) {
        var target = URLReference(location).resolved(against: URLReference(base))
        var scheme = (target.scheme ?? "").lowercased()
        if opensWebSocket, let plain = ["ws": "http", "wss": "https"][scheme] {
            (scheme, target.scheme) = (plain, plain)
        }
        guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
        fragment = target.fragment
        target.fragment = nil
        if let text = target.authority {
            var authority = Authority(text)
            if scheme == "http", wantsHTTPS(authority.host) {
                target.scheme = "https"
                authority.dropPort80()
            }
            target.authority = authority.hostAndPort
        }
        guard target.authority != nil, let url = try? BaseURL(target.description) else { throw .invalid }
        self.url = url
    }

    /// The path with its query.
    var path: String { url.target }

    /// Percent-encodes all bytes that a URL can't contain, such as spaces and non-ASCII characters, as browsers do.
    static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        bytes.reduce(into: "") { result, byte in
            if mustBeEscaped(byte) {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            } else {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
    }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte <= 32 || byte >= 127 || "\"<>\\^`{|}".utf8.contains(byte)
    }
}

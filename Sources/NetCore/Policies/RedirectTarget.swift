/// The URL that a `Location` field means.
struct RedirectTarget {
    let url: BaseURL
    let fragment: String?

    enum Problem: Error {
        /// It is no URL that could be asked for.
        case invalid
        /// It is none of http.
        case scheme(String)
    }

    /// Resolves a place that was ``escaped(_:)`` against the URL of the request. User and password are left out: nobody here
    /// gave them. A host that wants https gets it.
    init(_ location: String, from base: String, wantsHTTPS: (_ host: String) -> Bool) throws(Problem) {
        var target = URLReference(location).resolved(against: URLReference(base))
        let scheme = (target.scheme ?? "").lowercased()
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

    /// Percent-encodes blanks, other letters than ASCII's and the like, byte by byte, as browsers do.
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

internal import HTTPTypes
internal import NetCore

/// The attributes of a request according to OpenTelemetry's semantic conventions for HTTP.
enum SemanticConventions {
    private static let methods: Set<String> = [
        "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE", "QUERY",
    ]

    /// Returns a standard method, or else `_OTHER`, so that callers can't create an unlimited number of labels.
    static func method(_ method: HTTPRequest.Method) -> String {
        methods.contains(method.rawValue) ? method.rawValue : "_OTHER"
    }

    /// Returns the class of an error: the status if it is 400 or above, else the error's code; nil for success.
    static func errorType(status: Int?, error: NetError?) -> String? {
        if let status, status >= 400 { return String(status) }
        return error?.code.rawValue
    }

    /// Returns the method and scheme, and if `server` is true the host and port, as labels.
    static func labels(method: HTTPRequest.Method, url: String, server: Bool = true) -> [(String, String)] {
        let address = ServerAddress(url: url)
        var labels = [("http.request.method", Self.method(method)), ("url.scheme", address.scheme)]
        if server {
            labels += [("server.address", address.host), ("server.port", address.port)]
        }
        return labels
    }
}

/// The scheme, host and port of a redacted URL.
struct ServerAddress: Hashable {
    let scheme, host, port: String

    init(url: String) {
        let bytes = Array(url.utf8)[...]
        var start = bytes.startIndex
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(colon + 1)...].starts(with: "//".utf8) {
            scheme = String(decoding: bytes[..<colon], as: UTF8.self)
            start = colon + 3
        } else {
            scheme = ""
        }
        let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        var authority = bytes[start..<end]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        // The colons of an IPv6 address are in brackets.
        let digits = authority.reversed().prefix { (48...57).contains($0) }.count
        let mark = authority.endIndex - digits - 1
        if mark >= authority.startIndex, authority[mark] == UInt8(ascii: ":") {
            host = String(decoding: authority[..<mark], as: UTF8.self)
            port = digits > 0 ? String(decoding: authority[(mark + 1)...], as: UTF8.self) : Self.standardPort(scheme)
        } else {
            host = String(decoding: authority, as: UTF8.self)
            port = Self.standardPort(scheme)
        }
    }

    private static func standardPort(_ scheme: String) -> String { scheme == "https" ? "443" : "80" }
}

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
        let reference = URLReference(url)
        // Text that isn't a URL counts as a host.
        let authority = Authority(reference.authority ?? String(url.prefix { !"/?#".contains($0) }))
        scheme = reference.authority == nil ? "" : reference.scheme ?? ""
        host = authority.host
        port = String(authority.port(for: scheme) ?? 80)
    }
}

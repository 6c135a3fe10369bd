public import HTTPTypes
public import NetCore

/// A request received by a server, as a value. The code that reads the connection creates it.
///
///     let request = ServerRequest(method: "GET", target: "/v1/pets?limit=2", headers: [:])
public struct ServerRequest: Sendable {
    /// The method in uppercase.
    public var method: String
    /// The path and the query, percent-encoded as they arrived.
    public var target: String
    /// The headers.
    public var headers: HTTPFields
    /// The complete body. The code that reads the connection limits its size.
    public var body: Bytes

    /// Creates a request. Default: no headers, an empty body.
    public init(method: String, target: String, headers: HTTPFields = [:], body: Bytes = Bytes()) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The path without the query, percent-encoded.
    var path: Substring { target.prefix { $0 != "?" && $0 != "#" } }

    /// The items of the query in their order, percent-encoded.
    var items: [(name: String, value: String)] {
        let query = target.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        return query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decode(parts[0], plusIsSpace: true)
            return (name, parts.count > 1 ? String(parts[1]) : "")
        }
    }
}

extension ServerRequest: CustomReflectable {
    /// The method and the path, without the query, headers and body, because they may contain secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "bytes": body.count], displayStyle: .struct)
    }
}

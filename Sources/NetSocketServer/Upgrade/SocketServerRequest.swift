#if Server
public import HTTPTypes
public import NetCore

/// A request to the server that isn't a WebSocket handshake. Its body isn't read.
public struct SocketServerRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The path, without the query.
    public let path: String
    /// The header fields.
    public let headers: HTTPFields

    package init(method: HTTPRequest.Method, target: String, headers: HTTPFields) {
        self.method = method
        path = target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? target
        self.headers = headers
    }
}

/// A response to a request that isn't a handshake.
///
///     var configuration = SocketServerConfiguration()
///     configuration.respond = { request in
///         request.path == "/health" ? SocketServerResponse(body: "ok") : nil
///     }
public struct SocketServerResponse: Sendable {
    /// The status. Default 200.
    public var status: HTTPResponse.Status
    /// The header fields; `Content-Length` is added.
    public var headers: HTTPFields
    /// The body.
    public var body: Bytes

    /// Creates a response.
    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Bytes = Bytes()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a plain-text response.
    public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: String) {
        self.init(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"] + headers, body: Bytes(body.utf8))
    }
}
#endif

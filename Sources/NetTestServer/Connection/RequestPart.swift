#if Server
internal import HTTPTypes
internal import NetCore

/// What a connection or stream delivers, whatever the protocol version.
enum RequestPart: Sendable {
    case head(RequestHead)
    case body(Bytes)
    case end(trailers: HTTPFields?)
    /// The peer broke the protocol or a limit; nothing follows.
    case refused(Refusal)
}

extension HTTPFields {
    /// The fields of a trailer section as far as their names are tokens; nil for none.
    init?(trailers: some Sequence<(String, String)>) {
        self.init()
        for (name, value) in trailers {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
        if isEmpty { return nil }
    }
}

/// The head of a request.
struct RequestHead: Sendable {
    var version: String
    var method: HTTPRequest.Method
    var target: String
    var authority: String
    var headers: HTTPFields
    /// Whether the connection stays open after the response (RFC 9112 section 9.3).
    var keepsAlive = true
    /// Whether the client waits for `100 (Continue)` before it sends the body.
    var expectsContinue = false
}

/// Why a request is not served, and the status that says so.
struct Refusal: Error, Sendable {
    let status: HTTPResponse.Status
    let reason: String
}
#endif

#if Server
internal import HTTPTypes
internal import NetCore

/// The parts that a connection or stream delivers, for every protocol version.
enum RequestPart: Sendable {
    case head(RequestHead)
    case body(Bytes)
    case end(trailers: HTTPFields?)
    /// The peer broke the protocol or a limit; nothing follows.
    case refused(Refusal)
}

extension HTTPFields {
    /// Creates trailer fields, skipping names that aren't tokens; nil if no field remains.
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
    /// True if the connection stays open after the response (RFC 9112 section 9.3).
    var keepsAlive = true
    /// True if the client waits for `100 (Continue)` before it sends the body.
    var expectsContinue = false
}

/// The reason why a request isn't served, and the corresponding status.
struct Refusal: Error, Sendable {
    let status: HTTPResponse.Status
    let reason: String
}
#endif

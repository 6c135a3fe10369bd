#if Server
public import HTTPTypes
public import NetCore
public import NetTesting

/// A request that a test server received, and its outcome.
public struct LoggedRequest: Sendable {
    /// The outcome of an exchange.
    public enum Outcome: Sendable, Hashable {
        /// The exchange is still running.
        case running
        /// The kernel has accepted the whole response.
        case completed
        /// The client closed or reset the connection before the response was complete.
        case clientWentAway
        /// The stub's fault was executed: it ended the connection or broke the response, as intended.
        case dropped
        /// The server was stopped during the exchange.
        case serverStopped
        /// The request violated the protocol or a limit; the text explains how.
        case refused(String)
        /// The stub's response could not be created; the text explains why.
        case failed(String)
    }

    /// The SHA-256 of an empty body.
    static let emptyBodySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// The number of the request on this server, from 1, in the order in which the heads were read.
    public let number: Int
    /// The number of the connection on this server, from 1; two requests on one connection have the same number.
    public let connection: Int
    /// The HTTP/2 stream; nil on HTTP/1.
    public let stream: Int?
    /// The protocol version: `1.0`, `1.1` or `2`.
    public let version: String
    /// The method.
    public let method: HTTPRequest.Method
    /// The target exactly as it was sent, without decoding percent-escapes.
    public let target: String
    /// The requested host and port.
    public let authority: String
    /// The header fields, in the order received.
    public let headers: HTTPFields
    /// The beginning of the body, up to the size that the log keeps.
    public internal(set) var body = Bytes()
    /// The number of body bytes read so far.
    public internal(set) var bodyBytes: Int64 = 0
    /// The trailer fields of a chunked body or an HTTP/2 stream; nil if there were none.
    public internal(set) var trailers: HTTPFields?
    /// The SHA-256 of the whole body in lowercase hexadecimal; nil until the whole body has been read.
    public internal(set) var bodySHA256: String?
    /// The stub that responded; nil if none did.
    public internal(set) var stub: String?
    /// The status that was sent; nil before that.
    public internal(set) var status: Int?
    /// The events of the WebSocket that the request opened; nil for every other request.
    public internal(set) var webSocket: LoggedWebSocket?
    /// The number of response body bytes that the kernel accepted.
    public internal(set) var bytesWritten: Int64 = 0
    /// The time when the head was read, on the server's clock.
    public let start: Duration
    /// The time when the exchange ended; nil while it is running.
    public internal(set) var end: Duration?
    /// The outcome of the exchange.
    public internal(set) var outcome: Outcome = .running

    init(number: Int, connection: Int, stream: Int?, head: RequestHead, start: Duration) {
        self.number = number
        self.connection = connection
        self.stream = stream
        (version, method, target) = (head.version, head.method, head.target)
        (authority, headers) = (head.authority, head.headers)
        self.start = start
    }

    /// Method and path without the query.
    public var route: String { "\(method.rawValue) \(target.prefix { $0 != "?" })" }
}
#endif

#if Server
public import HTTPTypes
public import NetCore
public import NetTesting

/// A request as a test server saw it, and what became of it.
public struct LoggedRequest: Sendable {
    /// How an exchange ended.
    public enum Outcome: Sendable, Hashable {
        /// It still runs.
        case running
        /// The whole response was handed to the kernel.
        case completed
        /// The client closed or reset before the response was whole.
        case clientWentAway
        /// The stub's fault happened: it ended the connection or broke the response, as it was told to.
        case dropped
        /// The server was stopped meanwhile.
        case serverStopped
        /// The request broke the protocol or a limit; the text says how.
        case refused(String)
        /// The stub's own answer could not be made; the text says why.
        case failed(String)
    }

    /// The SHA-256 of no bytes.
    static let emptyBodySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// Counts the requests of the server, from 1, in the order in which their heads were read.
    public let number: Int
    /// Counts the server's connections, from 1: two requests on one connection show the same.
    public let connection: Int
    /// The HTTP/2 stream; nil on HTTP/1.
    public let stream: Int?
    /// The protocol version: `1.0`, `1.1` or `2`.
    public let version: String
    /// The method.
    public let method: HTTPRequest.Method
    /// The target exactly as it was sent, percent-encoding untouched.
    public let target: String
    /// Host and port that were asked for.
    public let authority: String
    /// The fields in their order.
    public let headers: HTTPFields
    /// The beginning of the body, as much as the log keeps.
    public internal(set) var body = Bytes()
    /// The size of the body as far as it was read.
    public internal(set) var bodyBytes: Int64 = 0
    /// The fields after a chunked body, or at the end of an HTTP/2 stream; nil where there were none.
    public internal(set) var trailers: HTTPFields?
    /// The SHA-256 of the whole body in lower-case hexadecimal; nil until all of it was read.
    public internal(set) var bodySHA256: String?
    /// The stub that answered; nil where none did.
    public internal(set) var stub: String?
    /// The status that was sent; nil before.
    public internal(set) var status: Int?
    /// What was seen on the WebSocket that the request opened; nil for every other request.
    public internal(set) var webSocket: LoggedWebSocket?
    /// Body bytes of the response that the kernel accepted.
    public internal(set) var bytesWritten: Int64 = 0
    /// When the head was read, on the server's clock.
    public let start: Duration
    /// When the exchange ended; nil while it runs.
    public internal(set) var end: Duration?
    /// How the exchange ended.
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

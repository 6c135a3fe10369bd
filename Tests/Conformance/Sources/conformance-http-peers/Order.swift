/// Equal requests to one server, and how they are sent.
struct Order: Decodable, Sendable {
    var method: String
    /// The server's URL without a path, and the path.
    var server, path: String
    /// `1.1`, or `2` for the default: HTTP/2 if the server offers it.
    var version: String
    var headers: [String: String]?
    /// The size of the body; nil for none.
    var bytes: Int?
    /// True if the body is a stream, which can be sent only once.
    var isStreamed: Bool?
    /// True if the request waits for `100 Continue`.
    var expects: Bool?
    /// A user and a password for Digest.
    var user, password: String?
    /// The URL of a DNS server.
    var names: String?
    /// The number of requests, and how many of them are sent at a time. Default 1.
    var count, width: Int?
}

/// The responses and failures of an order.
struct Outcome: Encodable, Sendable {
    /// The numbers of responses by status, and of failures by code.
    var tally: [String: Int] = [:]
    /// The version of HTTP of the last response, the size of its body after decoding, and its Adler-32 checksum.
    var version: String?
    var size: Int?
    var sum: UInt32?
    /// The message of the last failure.
    var message: String?
    var mayHaveArrived: Bool?
    /// The number of attempts of a call, the most of all.
    var attempts = 0
}

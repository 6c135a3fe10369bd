/// A failure of a connection or a response. The same value works with a ``MockTransport`` and with the loopback test
/// server.
///
///     Stub(.get, "/a", .text("hello").faulting(.drop(ConnectionDrop(.afterBodyBytes(2), form: .reset))))
///     Stub(.get, "/b", .text("hello")).faulting(.contentLength(.doubled))
///
/// Faults of the connection (``unknownHost``, ``refused``, ``tls(_:)``) happen before a request is read, so no response
/// can carry them over a real connection; use a host name below `.invalid`, a `ClosedPort` or `TestServer.TLS(_:)`
/// instead. A fault with its own framing uses the stub's body only if it is a fixed sequence of bytes; otherwise it
/// sends a thousand bytes of ``BytePattern``.
public enum Fault: Sendable, Hashable {
    /// The host has no address.
    case unknownHost
    /// The connection is refused.
    case refused
    /// The TLS handshake fails.
    case tls(TLS)
    /// The connection ends or stalls prematurely.
    case drop(ConnectionDrop)
    /// The response is complete, but later requests on its connection get no response: the peer has vanished without
    /// closing the connection. In memory, where there is no connection, the response is simply complete.
    case halfOpen
    /// `Content-Length` doesn't match the body.
    case contentLength(Length)
    /// Half of the body is followed by a chunk whose size isn't a number. HTTP/1.1 only, because HTTP/2 has no chunks.
    case badChunk
    /// The body is the first half of a gzip stream, correctly framed.
    case truncatedGzip
    /// The head has that many bytes of header fields.
    case headerBomb(bytes: Int)
    /// `103 (Early Hints)` repeated forever, never followed by a response.
    case endlessInformational
    /// The body is followed by endless trailer fields.
    case endlessTrailers
    /// One byte at a time, with a pause after each.
    case slowDrip(every: Duration)
    /// A redirect to the same target.
    case redirectLoop

    /// The failure of a TLS handshake.
    public enum TLS: String, Sendable, Hashable, CaseIterable {
        /// The certificate expired an hour ago.
        case expired
        /// The certificate is for another host.
        case wrongHost
        /// The certificate is signed by its own key.
        case selfSigned
        /// The connection is closed after the client's first message has arrived.
        case cutInHandshake
    }

    /// The error in `Content-Length`.
    public enum Length: String, Sendable, Hashable, CaseIterable {
        /// Ten bytes more than are sent.
        case tooLong
        /// Half of the bytes that are sent.
        case tooShort
        /// Two header fields with different values.
        case doubled
        /// Not a number.
        case malformed
    }

    /// True if the fault happens before a request is read, so that no response can carry it over a real connection.
    package var isOfConnection: Bool {
        switch self {
        case .unknownHost, .refused, .tls: true
        default: false
        }
    }
}

extension Fault {
    /// Each fault that a response can carry, once: a pool to choose from. Omits endless and stalling faults, because a
    /// client without timeouts would wait forever.
    public static let finite: [Fault] =
        [ConnectionDrop.Form.close, .reset].flatMap { form in
            [ConnectionDrop.Point.beforeHead, .insideHead, .afterHead, .afterBodyBytes(1)].map {
                Fault.drop(ConnectionDrop($0, form: form))
            }
        } + Length.allCases.map { Fault.contentLength($0) }
        + [.badChunk, .truncatedGzip, .headerBomb(bytes: 1 << 20)]
}

extension Fault: CustomStringConvertible {
    /// A short text for tables and messages.
    public var description: String {
        switch self {
        case .unknownHost: "unknown host"
        case .refused: "connection refused"
        case .tls(.expired): "certificate expired"
        case .tls(.wrongHost): "certificate for another host"
        case .tls(.selfSigned): "certificate self-signed"
        case .tls(.cutInHandshake): "cut in the handshake"
        case .drop(let drop): "\(drop)"
        case .halfOpen: "half-open after the response"
        case .contentLength(.tooLong): "Content-Length too long"
        case .contentLength(.tooShort): "Content-Length too short"
        case .contentLength(.doubled): "Content-Length doubled"
        case .contentLength(.malformed): "Content-Length not a number"
        case .badChunk: "bad chunk size"
        case .truncatedGzip: "truncated gzip"
        case .headerBomb(let bytes): "header bomb of \(bytes) bytes"
        case .endlessInformational: "endless 1xx"
        case .endlessTrailers: "endless trailers"
        case .slowDrip(let pause): "slow drip, a byte every \(pause)"
        case .redirectLoop: "redirect loop"
        }
    }
}

/// Something that goes wrong with a connection or a response: the same value breaks a ``MockTransport`` and the
/// loopback test server.
///
///     Stub(.get, "/a", .text("hello").faulting(.drop(ConnectionDrop(.afterBodyBytes(2), form: .reset))))
///     Stub(.get, "/b", .text("hello")).faulting(.contentLength(.doubled))
///
/// Faults of the connection (``unknownHost``, ``refused``, ``tls(_:)``) happen before a request is read, so no response
/// carries them on the wire: there a name below `.invalid`, a `ClosedPort` and `TestServer.TLS(_:)` make them. A fault
/// that sends its own framing takes a body only where it is whole bytes; in place of any other it sends a thousand
/// bytes of ``BytePattern``.
public enum Fault: Sendable, Hashable {
    /// The host has no address.
    case unknownHost
    /// The connection is refused.
    case refused
    /// The TLS handshake cannot succeed.
    case tls(TLS)
    /// The connection ends or stands still too early.
    case drop(ConnectionDrop)
    /// The response is whole, but nothing that comes on its connection afterwards is answered: the peer has vanished
    /// without a word. In memory, where there is no connection, the response is simply whole.
    case halfOpen
    /// `Content-Length` says something else than the body.
    case contentLength(Length)
    /// After half of the body comes a chunk whose size is no number. HTTP/1.1 only: HTTP/2 has no chunks.
    case badChunk
    /// The body is the first half of a gzip stream, correctly framed.
    case truncatedGzip
    /// The head has that many bytes of fields.
    case headerBomb(bytes: Int)
    /// `103 (Early Hints)` again and again, and never a response.
    case endlessInformational
    /// After the body come trailer fields without end.
    case endlessTrailers
    /// One byte at a time, with a pause after each.
    case slowDrip(every: Duration)
    /// A redirect to the very same target.
    case redirectLoop

    /// What is wrong with a TLS handshake.
    public enum TLS: String, Sendable, Hashable, CaseIterable {
        /// The certificate expired an hour ago.
        case expired
        /// The certificate is for another host.
        case wrongHost
        /// The certificate is signed by its own key.
        case selfSigned
        /// The connection is closed when the client's first message has arrived.
        case cutInHandshake
    }

    /// What is wrong with `Content-Length`.
    public enum Length: String, Sendable, Hashable, CaseIterable {
        /// It promises ten bytes more than are sent.
        case tooLong
        /// It promises half of what is sent.
        case tooShort
        /// It is there twice, with different values.
        case doubled
        /// It is no number.
        case malformed
    }

    /// Whether it happens before a request is read, so that no response can carry it on the wire.
    package var isOfConnection: Bool {
        switch self {
        case .unknownHost, .refused, .tls: true
        default: false
        }
    }
}

extension Fault {
    /// Each fault that a response can carry, once: a pool to draw from. Endless and stalling ones are left out, since a
    /// client without time-outs would wait for ever.
    public static let finite: [Fault] =
        [ConnectionDrop.Form.close, .reset].flatMap { form in
            [ConnectionDrop.Point.beforeHead, .insideHead, .afterHead, .afterBodyBytes(1)].map {
                Fault.drop(ConnectionDrop($0, form: form))
            }
        } + Length.allCases.map { Fault.contentLength($0) }
        + [.badChunk, .truncatedGzip, .headerBomb(bytes: 1 << 20)]
}

extension Fault: CustomStringConvertible {
    /// A few words for tables and messages.
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
        case .contentLength(.malformed): "Content-Length no number"
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

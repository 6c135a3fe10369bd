/// What one attempt cost, as the transport measured it. Durations count from the attempt's start.
public struct TransferMetrics: Sendable, Hashable {
    /// Until the name was resolved; nil where no resolution took place.
    public var resolved: Duration?
    /// Until the connection stood; nil on a connection that was used before.
    public var connected: Duration?
    /// Until TLS was agreed; nil without TLS or on a connection that was used before.
    public var secured: Duration?
    /// Until the request was about to be sent.
    public var requestSent: Duration?
    /// Until the first byte of the answer.
    public var firstByte: Duration?
    /// Until the end of the body.
    public var total: Duration
    /// Body bytes sent and received.
    public var requestBytes, responseBytes: Int64
    /// The protocol version, `1.1` or `2`.
    public var version: String
    /// Whether the connection had served another request before.
    public var isReused: Bool
    /// The peer's address and port, as text.
    public var remoteAddress: String?

    /// Makes figures; everything but the total is optional.
    public init(total: Duration, requestBytes: Int64 = 0, responseBytes: Int64 = 0, version: String = "") {
        self.total = total
        self.requestBytes = requestBytes
        self.responseBytes = responseBytes
        self.version = version
        isReused = false
    }
}

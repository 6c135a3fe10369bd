#if Server
/// The counters of a test server since its start.
public struct ServerStatistics: Sendable, Hashable {
    /// Accepted connections.
    public var connections = 0
    /// Currently open connections.
    public var openConnections = 0
    /// Requests whose head has been read.
    public var requests = 0
    /// Requests whose exchange is still running.
    public var runningRequests = 0
    /// Response body bytes that the kernel accepted.
    public var bytesWritten: Int64 = 0
    /// Request body bytes that were read.
    public var bytesRead: Int64 = 0
    /// Connections that sent data other than HTTP, exceeded a limit, or failed their TLS handshake.
    public var refusals = 0

    /// Creates statistics with all counters at zero.
    public init() {}
}
#endif

#if Server
/// What a test server has counted since its start.
public struct ServerStatistics: Sendable, Hashable {
    /// Connections that were accepted.
    public var connections = 0
    /// Connections that are open now.
    public var openConnections = 0
    /// Requests whose head was read.
    public var requests = 0
    /// Requests whose exchange still runs.
    public var runningRequests = 0
    /// Body bytes of responses that the kernel accepted.
    public var bytesWritten: Int64 = 0
    /// Body bytes of requests that were read.
    public var bytesRead: Int64 = 0
    /// Connections that sent what is no HTTP, broke a limit, or failed their TLS handshake.
    public var refusals = 0

    /// Nothing counted yet.
    public init() {}
}
#endif

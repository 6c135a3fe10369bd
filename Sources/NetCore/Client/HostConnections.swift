/// A snapshot of a transport's connections to one origin, not including WebSockets.
///
///     for host in await client.connections() {
///         print("\(host.origin): \(host.open) open, \(host.idle) of them idle; \(host.waiting) calls wait")
///     }
public struct HostConnections: Sendable, Hashable {
    /// The scheme, host and port: `https://api.example.com:443`. For a connection to a proxy, this is the origin of
    /// the request that it was opened for.
    public var origin: String
    /// The number of connections, including those being opened.
    public var open: Int
    /// The number of open connections that no call uses.
    public var idle: Int
    /// The number of calls without a connection: waiting for a transfer slot, for a free connection, or for a new one
    /// to open.
    public var waiting: Int

    /// Creates a snapshot.
    public init(origin: String, open: Int = 0, idle: Int = 0, waiting: Int = 0) {
        self.origin = origin
        self.open = open
        self.idle = idle
        self.waiting = waiting
    }

    /// The number of open connections that calls use.
    public var active: Int { open - idle }
}

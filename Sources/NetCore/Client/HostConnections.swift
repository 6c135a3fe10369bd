/// A reading of a transport's connections to one origin, WebSockets not included.
///
///     for host in await client.connections() {
///         print("\(host.origin): \(host.open) open, \(host.idle) of them idle; \(host.waiting) calls wait")
///     }
public struct HostConnections: Sendable, Hashable {
    /// The scheme, host and port: `https://api.example.com:443`. Of a connection to a proxy, it is the origin of the
    /// request that it was opened for.
    public var origin: String
    /// The connections, those that are being opened included.
    public var open: Int
    /// The open connections that no call uses.
    public var idle: Int
    /// The calls that have no connection yet: in line for a transfer, for a free connection, or while theirs is opened.
    public var waiting: Int

    /// Creates a reading.
    public init(origin: String, open: Int = 0, idle: Int = 0, waiting: Int = 0) {
        self.origin = origin
        self.open = open
        self.idle = idle
        self.waiting = waiting
    }

    /// The open connections that calls use.
    public var active: Int { open - idle }
}

/// Why the network of this machine can't be watched.
public struct NetworkMonitorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What failed, and what to do.
    public let message: String
    /// The system's error number; nil if there is none.
    public let systemError: Int32?

    public var description: String { message }
}

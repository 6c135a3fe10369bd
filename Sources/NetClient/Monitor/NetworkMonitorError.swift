/// The reason why this machine's network can't be watched.
public struct NetworkMonitorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the failure and of the remedy.
    public let message: String
    /// The system's error number; nil if there is none.
    public let systemError: Int32?

    public var description: String { message }
}

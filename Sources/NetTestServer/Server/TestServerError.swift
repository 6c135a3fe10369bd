#if Server
/// A server that can't be started or used as requested.
public struct TestServerError: Error, Sendable, CustomStringConvertible {
    /// The problem, and how to fix it.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
#endif

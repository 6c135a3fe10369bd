#if Server
/// A server that cannot start or be used as asked.
public struct TestServerError: Error, Sendable, CustomStringConvertible {
    /// What was found, and what to do.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
#endif

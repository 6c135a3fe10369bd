public import NetCore

/// What was captured of an entry, for the terms that look into headers, bodies and messages.
///
/// Nothing is read before a term asks for it, and then possibly several times.
public struct FilterContent: Sendable {
    /// One of the two directions.
    public enum Side: Sendable, Hashable, CaseIterable {
        /// What was sent.
        case request
        /// What was received.
        case response
    }

    let headers: @Sendable (Side) -> String
    let bodies: @Sendable (Side) -> [Bytes]

    /// Creates content.
    ///
    /// - Parameters:
    ///   - headers: The headers of all attempts, of responses with their trailers, as lines `name: value`. Default: none.
    ///   - bodies: The bodies of all attempts, decoded; of a WebSocket, its sent or received messages. Default: none.
    public init(
        headers: @escaping @Sendable (Side) -> String = { _ in "" },
        bodies: @escaping @Sendable (Side) -> [Bytes] = { _ in [] }
    ) {
        self.headers = headers
        self.bodies = bodies
    }
}

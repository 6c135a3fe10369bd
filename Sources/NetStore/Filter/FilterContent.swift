public import NetCore

/// The captured headers and bodies of an entry, for the terms that search them.
///
/// The closures are called when a term needs them, possibly several times.
public struct FilterContent: Sendable {
    /// The direction of a message.
    public enum Side: Sendable, Hashable, CaseIterable {
        /// Sent to the server.
        case request
        /// Received from the server.
        case response
    }

    let headers: @Sendable (Side) -> String
    let bodies: @Sendable (Side) -> [Bytes]

    /// Creates the content of an entry.
    ///
    /// - Parameters:
    ///   - headers: Returns the headers of all attempts, including response trailers, as lines `name: value`. Default:
    ///     none.
    ///   - bodies: Returns the decoded bodies of all attempts; for a WebSocket, its sent or received messages. Default:
    ///     none.
    public init(
        headers: @escaping @Sendable (Side) -> String = { _ in "" },
        bodies: @escaping @Sendable (Side) -> [Bytes] = { _ in [] }
    ) {
        self.headers = headers
        self.bodies = bodies
    }
}

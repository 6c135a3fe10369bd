/// The failures by which a client answers requests of the server that its handlers don't.
public struct WireRefusals: Sendable, Hashable {
    /// Nobody has a handler for it; nil to leave it without a reply, which is the default.
    public var unknown: SocketFailure?
    /// The payload can't be decoded. Default `invalid_payload`.
    public var unreadable: SocketFailure
    /// The handler has thrown something else than a ``SocketFailure``, which the server isn't told. Default `internal_error`.
    public var failed: SocketFailure

    /// Creates refusals.
    public init(
        unknown: SocketFailure? = nil,
        unreadable: SocketFailure = SocketFailure("invalid_payload", "the payload could not be read"),
        failed: SocketFailure = SocketFailure("internal_error", "the request could not be handled")
    ) {
        self.unknown = unknown
        self.unreadable = unreadable
        self.failed = failed
    }
}

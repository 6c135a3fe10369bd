/// The failures with which a client replies to server requests that its handlers don't handle.
public struct WireRefusals: Sendable, Hashable {
    /// The failure of a request without a handler; nil, the default, to send no reply.
    public var unknown: SocketFailure?
    /// The failure of a request whose payload can't be decoded. Default `invalid_payload`.
    public var unreadable: SocketFailure
    /// The failure of a request whose handler throws an error other than a ``SocketFailure``; the error itself isn't
    /// sent to the server. Default `internal_error`.
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

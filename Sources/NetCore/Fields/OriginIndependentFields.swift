internal import HTTPTypes

extension HTTPField.Name {
    /// True if the header may be sent to an origin that it wasn't meant for. No list can name every header that
    /// contains a secret, so this one names headers that don't.
    ///
    /// It contains the headers that browsers send everywhere (Fetch standard, CORS-safelisted request headers, and
    /// `User-Agent`), those that describe the body of the request (RFC 9110 section 8), and those for ranges and
    /// conditions (sections 13 and 14).
    var mayGoToAnyOrigin: Bool { Self.originIndependent.contains(canonicalName) }

    private static let originIndependent: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-digest",
        "content-disposition", "content-encoding", "content-language", "content-length", "content-md5",
        "content-range", "content-type", "digest", "expect", "idempotency-key", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "last-event-id", "pragma", "prefer", "priority", "range",
        "repr-digest", "te", "trailer", "transfer-encoding", "upgrade-insecure-requests", "user-agent",
        "want-content-digest", "want-repr-digest",
    ]
}

internal import HTTPTypes

extension HTTPField.Name {
    /// Whether a field may go to an origin that it was not meant for: no list of names knows every field that holds a secret,
    /// so this one says which hold none.
    ///
    /// What a browser sends of itself everywhere (Fetch standard, CORS-safelisted request headers, and `User-Agent`), what
    /// speaks of the body that goes along (RFC 9110 section 8), and what asks for a part of a copy or compares it with
    /// another (sections 13 and 14).
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

public import HTTPTypes

/// Names of header fields that swift-http-types doesn't have.
extension HTTPField.Name {
    /// `Link` (RFC 8288).
    public static let link: HTTPField.Name = "Link"
    /// `Alt-Svc` (RFC 7838 section 3).
    package static let altSvc: HTTPField.Name = "Alt-Svc"
    /// `Alt-Used` (RFC 7838 section 5).
    package static let altUsed: HTTPField.Name = "Alt-Used"
    /// `Cache-Status` (RFC 9211).
    package static let cacheStatus: HTTPField.Name = "Cache-Status"
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    package static let idempotencyKey: HTTPField.Name = "Idempotency-Key"
    /// `Keep-Alive` (RFC 2068 section 19.7.1).
    package static let keepAlive: HTTPField.Name = "Keep-Alive"
    /// `Last-Event-ID` (HTML, server-sent events).
    package static let lastEventID: HTTPField.Name = "Last-Event-ID"
    /// `Pragma` (RFC 9111 section 5.4).
    package static let pragma: HTTPField.Name = "Pragma"
    /// `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
    package static let rateLimit: HTTPField.Name = "RateLimit"
}

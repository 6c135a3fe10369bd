extension ActivityEvent {
    /// The decision of an HTTP cache about a call, with its reason.
    public struct CacheDecision: Sendable, Hashable {
        /// The action of the cache.
        public enum Action: String, Sendable, Hashable, CaseIterable {
            /// A stored response was served.
            case hit
            /// A stale response was served.
            case stale
            /// No stored response matches.
            case miss
            /// The cache was bypassed.
            case bypass
            /// The server was asked to validate the stored response.
            case revalidate
            /// The server confirmed that the stored response is still valid.
            case update
            /// The response was stored.
            case store
            /// The response was not stored.
            case skippedStore
            /// The stored response was invalidated.
            case invalidate
            /// The response of another running call was shared.
            case shared
        }

        /// The reason for an action.
        public enum Reason: String, Sendable, Hashable, CaseIterable {
            /// The stored response is fresh.
            case fresh
            /// The stored response is stale.
            case stale
            /// The server responded with 304.
            case notModified
            /// No response is stored, or it no longer exists.
            case notStored
            /// The stored response was selected by other request headers (`Vary`).
            case variantMismatch
            /// The cache doesn't serve this method.
            case method
            /// The request has a body.
            case requestBody
            /// The request has `no-store`.
            case requestNoStore
            /// The request has `no-cache`.
            case requestNoCache
            /// The stored response is older than the request's `max-age`.
            case requestMaxAge
            /// The stored response is fresh for less than the request's `min-fresh`.
            case requestMinFresh
            /// The request must not use the network.
            case onlyIfCached
            /// The request's ``CachePolicy`` requires it.
            case policy
            /// The server declared that the response doesn't change while it is fresh (RFC 8246).
            case immutable
            /// The request's `max-stale` allows a stale response.
            case maxStale
            /// The stale response may be served while it is being revalidated (RFC 5861).
            case staleWhileRevalidate
            /// The stale response may be served because the server failed (RFC 5861).
            case staleIfError
            /// The call refreshes a response that was served stale.
            case refreshInBackground
            /// The response has `no-store`.
            case noStore
            /// The response has `no-cache`.
            case noCache
            /// The response has `must-revalidate` or a similar directive.
            case mustRevalidate
            /// The response is `private`, and the cache is shared.
            case privateInShared
            /// The request has `Authorization`, and the cache is shared.
            case authorization
            /// The response sets a cookie, and the cache is shared.
            case cookieInShared
            /// The response has `Vary: *`.
            case varyAny
            /// Nothing allows storing a response with this status.
            case statusNotCacheable
            /// The response has `must-understand`, and its status isn't defined by RFC 9110.
            case notUnderstood
            /// The response has neither a lifetime nor a validator.
            case noFreshness
            /// The response is a range of a body with a content coding.
            case codedRange
            /// A range was requested or is stored.
            case range
            /// The request has its own conditional headers.
            case conditional
            /// The method may change the resource.
            case unsafeMethod
            /// The response to a `HEAD` contradicts the stored response.
            case outdated
            /// The body is larger than the cache stores.
            case tooLarge
            /// The body wasn't read to its end, or is shorter than announced.
            case incomplete
            /// The response belongs to another identity: the request was sent with credentials, a header or a URL that
            /// the call's identity doesn't cover, as ``CacheDecision/cause`` says; or what is stored for the URL was
            /// requested with another identity, such as other cookies.
            case otherIdentity
            /// All conditions for storing the response are met.
            case cacheable
            /// The response to a `HEAD` describes the stored response.
            case headResponse
            /// A call with the same request is running.
            case sameRequest
        }

        /// The action of the cache.
        public var action: Action
        /// The reason for the action.
        public var reason: Reason

        /// The name of the header behind ``Reason/otherIdentity``, `URL` or `login`, without its value; nil for other
        /// reasons.
        public var cause: String?

        /// Creates a decision.
        public init(_ action: Action, _ reason: Reason, cause: String? = nil) {
            self.action = action
            self.reason = reason
            self.cause = cause
        }
    }
}

extension ActivityEvent.CacheDecision: CustomStringConvertible {
    /// Examples: `hit (fresh)`, `skippedStore (otherIdentity: X-User)`.
    public var description: String {
        "\(action.rawValue) (\(reason.rawValue)\(cause.map { ": \($0)" } ?? ""))"
    }
}

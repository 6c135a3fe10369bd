extension ActivityEvent {
    /// What an HTTP cache decided about a call, and why.
    public struct CacheDecision: Sendable, Hashable {
        /// What it did.
        public enum Action: String, Sendable, Hashable, CaseIterable {
            /// A stored response was served.
            case hit
            /// A stale response was served.
            case stale
            /// Nothing that is stored fits.
            case miss
            /// The cache was passed by.
            case bypass
            /// What is stored was sent to be validated.
            case revalidate
            /// The server said that what is stored is still right.
            case update
            /// The response was stored.
            case store
            /// The response was not stored.
            case skippedStore
            /// What was stored is gone.
            case invalidate
            /// The answer of another call under way was taken.
            case shared
        }

        /// Why.
        public enum Reason: String, Sendable, Hashable, CaseIterable {
            /// What is stored is fresh.
            case fresh
            /// What is stored is stale.
            case stale
            /// The server answered 304.
            case notModified
            /// Nothing is stored, or it is gone.
            case notStored
            /// What is stored was chosen by other request fields (`Vary`).
            case variantMismatch
            /// A cache does not serve this method.
            case method
            /// The request has a body.
            case requestBody
            /// The request has `no-store`.
            case requestNoStore
            /// The request has `no-cache`.
            case requestNoCache
            /// It is older than the request's `max-age`.
            case requestMaxAge
            /// It is fresh for less than the request's `min-fresh`.
            case requestMinFresh
            /// The request must not go to the network.
            case onlyIfCached
            /// The request's ``CachePolicy``.
            case policy
            /// The server said that it does not change while it is fresh (RFC 8246).
            case immutable
            /// The request's `max-stale` allows it.
            case maxStale
            /// It may be served while it is renewed (RFC 5861).
            case staleWhileRevalidate
            /// It may be served because the server failed (RFC 5861).
            case staleIfError
            /// The call renews what was served stale.
            case refreshInBackground
            /// The response has `no-store`.
            case noStore
            /// The response has `no-cache`.
            case noCache
            /// The response has `must-revalidate` or its like.
            case mustRevalidate
            /// The response is `private`, and the cache is shared.
            case privateInShared
            /// The request has `Authorization`, and the cache is shared.
            case authorization
            /// The response sets a cookie, and the cache is shared.
            case cookieInShared
            /// The response has `Vary: *`.
            case varyAny
            /// Nothing says that the status may be stored.
            case statusNotCacheable
            /// The response has `must-understand`, and the status is none of RFC 9110.
            case notUnderstood
            /// There is neither a lifetime nor a validator.
            case noFreshness
            /// A part of a coded body.
            case codedRange
            /// A part was asked for, or is stored.
            case range
            /// The request's own condition.
            case conditional
            /// A method that may change something.
            case unsafeMethod
            /// The answer to a `HEAD` contradicts what is stored.
            case outdated
            /// The body is larger than what is stored.
            case tooLarge
            /// The body was not read to its end, or is shorter than announced.
            case incomplete
            /// It was sent with credentials that the call's identity does not account for.
            case otherIdentity
            /// All that applies says yes.
            case cacheable
            /// The answer to a `HEAD` speaks of it.
            case headResponse
            /// A call of the same request is under way.
            case sameRequest
        }

        /// What it did.
        public var action: Action
        /// Why.
        public var reason: Reason

        /// Pairs the two.
        public init(_ action: Action, _ reason: Reason) {
            self.action = action
            self.reason = reason
        }
    }
}

extension ActivityEvent.CacheDecision: CustomStringConvertible {
    /// `hit (fresh)`.
    public var description: String { "\(action.rawValue) (\(reason.rawValue))" }
}

public import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One accepted request of an outbox and its state, without its headers and its body.
public struct OutboxItem: Sendable, Hashable, Identifiable {
    /// The number of an item: 1 for the first that an outbox accepted; never used twice.
    public typealias ID = Int64

    /// The state of an item. An item that isn't final can be dropped in any state; a parked or waiting one can be
    /// retried.
    public enum State: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// It waits for its turn.
        case queued = 1
        /// A sender sends it.
        case sending
        /// It's sent again at ``OutboxItem/nextAttempt``.
        case waiting
        /// It isn't sent until it's retried: see ``OutboxItem/parkReason``.
        case parked
        /// The server has accepted it.
        case completed
        /// It was dropped.
        case dropped

        public var description: String {
            switch self {
            case .queued: "queued"
            case .sending: "sending"
            case .waiting: "waiting"
            case .parked: "parked"
            case .completed: "completed"
            case .dropped: "dropped"
            }
        }

        /// True if nothing follows: completed or dropped.
        public var isFinal: Bool { self == .completed || self == .dropped }
    }

    /// The reason why an item is parked.
    public enum ParkReason: String, Sendable, Hashable, CaseIterable {
        /// The server's response isn't an accepted one, and not one that is retried.
        case refused
        /// The server's responses were retried as often as the policy allows.
        case exhausted
        /// The request couldn't be sent, and another attempt wouldn't help.
        case failed
        /// It wasn't accepted before ``OutboxItem/expiresAt``.
        case expired
    }

    /// An error of an item's last attempt.
    public struct Failure: Sendable, Hashable {
        /// The code, that of a ``NetError``.
        public let code: String
        /// The message, without secrets.
        public let message: String
    }

    /// The number.
    public let id: ID
    /// The state.
    public let state: State
    /// The key within which the order is kept; nil for none.
    public let orderKey: String?
    /// The method.
    public let method: HTTPRequest.Method
    /// The path and query relative to the client's base URL, or the whole URL; redacted.
    public let url: String
    /// The name for display; nil for none.
    public let name: String?
    /// The OpenAPI `operationId`; nil for none.
    public let operationID: String?
    /// The tags.
    public let tags: [String]
    /// The size of the body in bytes; 0 without one, and once the item is finished.
    public let bodyBytes: Int
    /// The value of `Idempotency-Key`, the same for each attempt.
    public let idempotencyKey: String
    /// The time at which it was accepted.
    public let acceptedAt: Date
    /// The time of the last change.
    public let changedAt: Date
    /// The time at which it is parked if it wasn't accepted; nil for never.
    public let expiresAt: Date?
    /// The time of the next attempt; nil unless it's waiting.
    public let nextAttempt: Date?
    /// The number of attempts that were begun.
    public let attempts: Int
    /// The reason why it's parked; nil in other states.
    public let parkReason: ParkReason?
    /// The last response; nil if there was none. A completed item has its status and headers, a parked one also the
    /// body.
    public let response: OutboxResponse?
    /// The error of the last attempt; nil if it had a response, or there was none.
    public let failure: Failure?
}

extension OutboxItem: CustomStringConvertible {
    /// `7 waiting: POST orders`.
    public var description: String { "\(id) \(state): \(method.rawValue) \(url)" }
}

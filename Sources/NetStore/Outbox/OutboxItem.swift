public import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request accepted by an outbox, and its state; without its headers and body.
public struct OutboxItem: Sendable, Hashable, Identifiable {
    /// The number of an item: 1 for the first in an outbox; never reused.
    public typealias ID = Int64

    /// The state of an item. An item in any state that isn't final can be dropped; a parked or waiting item can be
    /// retried.
    public enum State: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        /// The item waits for its turn.
        case queued = 1
        /// A sender is sending the item.
        case sending
        /// The item is sent again at ``OutboxItem/nextAttempt``.
        case waiting
        /// The item isn't sent until it's retried: see ``OutboxItem/parkReason``.
        case parked
        /// The server has accepted the item.
        case completed
        /// The item was dropped.
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

        /// True if the state can't change anymore: completed or dropped.
        public var isFinal: Bool { self == .completed || self == .dropped }
    }

    /// The reason why an item is parked.
    public enum ParkReason: String, Sendable, Hashable, CaseIterable {
        /// The server's response is neither accepted nor one that is retried.
        case refused
        /// The server's responses were retried as many times as the policy allows.
        case exhausted
        /// The request couldn't be sent, and another attempt wouldn't help.
        case failed
        /// The item wasn't accepted before ``OutboxItem/expiresAt``.
        case expired
    }

    /// The error of an item's last attempt.
    public struct Failure: Sendable, Hashable {
        /// The code of a ``NetError``.
        public let code: String
        /// The message, without secrets.
        public let message: String
    }

    /// The number.
    public let id: ID
    /// The state.
    public let state: State
    /// The key within which the order is kept; nil if there is none.
    public let orderKey: String?
    /// The method.
    public let method: HTTPRequest.Method
    /// The path and query relative to the client's base URL, or the whole URL; redacted.
    public let url: String
    /// The display name; nil if there is none.
    public let name: String?
    /// The OpenAPI `operationId`; nil if there is none.
    public let operationID: String?
    /// The tags.
    public let tags: [String]
    /// The size of the body in bytes; 0 if there is no body or the item is finished.
    public let bodyBytes: Int
    /// The value of `Idempotency-Key`, the same for each attempt.
    public let idempotencyKey: String
    /// The time when the outbox accepted the item.
    public let acceptedAt: Date
    /// The time of the last change.
    public let changedAt: Date
    /// The time when the item is parked unless it has been accepted; nil for never.
    public let expiresAt: Date?
    /// The time of the next attempt; nil unless the item is waiting.
    public let nextAttempt: Date?
    /// The number of attempts begun.
    public let attempts: Int
    /// The reason why the item is parked; nil in other states.
    public let parkReason: ParkReason?
    /// True if the item belongs to a named user (``NetCore/RequestOptions/identity``): only a sender of that user sends it.
    public let isOwned: Bool
    /// The last response; nil if there was none. A completed item keeps its status and headers, a parked item also the
    /// body.
    public let response: OutboxResponse?
    /// The error of the last attempt; nil if it got a response or no attempt was made.
    public let failure: Failure?
}

extension OutboxItem: CustomStringConvertible {
    /// A summary such as `7 waiting: POST orders`.
    public var description: String { "\(id) \(state): \(method.rawValue) \(url)" }
}

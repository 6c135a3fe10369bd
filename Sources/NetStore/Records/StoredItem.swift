public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One entry of a store's list: a call, a WebSocket, a job, or a line of a log.
public struct StoredItem: Sendable, Hashable, Identifiable {
    /// What an entry tells of.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// An HTTP call, with its attempts.
        case call = 1
        /// A WebSocket, with its messages.
        case socket
        /// A download, an upload or an item of an outbox, with its calls.
        case job
        /// A line of a log.
        case log
    }

    /// How what an entry tells of has ended.
    public enum Outcome: Int, Sendable, Hashable, CaseIterable {
        /// The response was read; the WebSocket was closed in order; the job is done.
        case completed = 1
        /// The server responded with a status that the request doesn't accept.
        case rejected
        /// There was no response, or it couldn't be read; the connection was lost.
        case failed
        /// The caller cancelled.
        case cancelled
        /// The program ended before.
        case cutOff
    }

    /// The number of the entry in the file. Grows in the order in which entries are committed.
    public var id: Int64
    /// The ID of the call, WebSocket or job; of a line of a log, an ID of its own.
    public var uid: CallID
    /// What the entry tells of.
    public var kind: Kind
    /// The run of the program that wrote it.
    public var run: Int64
    /// When it began; of a line of a log, when it was written.
    public var startedAt: Date
    /// How long it took, retries and pauses included; nil for a line of a log, and while it is under way.
    public var duration: Duration?
    /// How it ended; nil for a line of a log, and while it is under way.
    public var outcome: Outcome?
    /// The last status that came; the close code of a WebSocket.
    public var status: Int?
    /// The method.
    public var method: String?
    /// The request's operation ID, else its name.
    public var operation: String?
    /// The request's name for people; the label of a log.
    public var name: String?
    /// The request's tags.
    public var tags: [String] = []
    /// Host and port of the URL, in lowercase.
    public var host: String?
    /// The redacted URL.
    public var url: String?
    /// Why it failed.
    public var failure: StoredFailure?
    /// The message of a line of a log.
    public var message: String?
    /// The number of attempts; of requests that a job has sent.
    public var attempts = 0
    /// The number of retries among them.
    public var retries = 0
    /// What the cache decided last; nil without one.
    public var cache: String?
    /// Why.
    public var cacheReason: String?
    /// The bytes of the request's body; sent messages of a WebSocket.
    public var requestBytes: Int64?
    /// The bytes of the response's body; received messages of a WebSocket.
    public var responseBytes: Int64?
    /// The media type of the request's body; nil where fields weren't captured.
    public var requestType: String?
    /// The media type of the response's body; nil where fields weren't captured.
    public var responseType: String?
    /// Whether the last attempt used a connection that was open; nil if it isn't known.
    public var isReused: Bool?
    /// The protocol version of the last attempt: `1.1`, `2`.
    public var version: String?
    /// The peer's address and port.
    public var remoteAddress: String?
    /// The call of a line of a log, or the job of a call.
    public var owner: CallID?
    /// The level of a line of a log, as swift-log names it.
    public var level: String?
    /// More of it, as text: the metadata of a line of a log, the reason of a close frame.
    public var detail: String?
    /// Whether it is spared when old entries are deleted.
    public var isPinned = false
    /// What somebody has noted about it.
    public var comment: String?

    /// Creates an entry.
    public init(id: Int64, uid: CallID, kind: Kind, run: Int64 = 0, startedAt: Date) {
        self.id = id
        self.uid = uid
        self.kind = kind
        self.run = run
        self.startedAt = startedAt
    }
}

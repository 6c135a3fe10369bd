public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One entry of a store: a call, a WebSocket, a job, or a log line.
public struct StoredItem: Sendable, Hashable, Identifiable {
    /// The kind of an entry.
    public enum Kind: Int, Sendable, Hashable, CaseIterable {
        /// An HTTP call, with its attempts.
        case call = 1
        /// A WebSocket, with its messages.
        case socket
        /// A download, an upload or an item of an outbox, with its calls.
        case job
        /// A log line.
        case log
    }

    /// The outcome of a call, a WebSocket or a job.
    public enum Outcome: Int, Sendable, Hashable, CaseIterable {
        /// The response was read; the WebSocket was closed properly; the job is done.
        case completed = 1
        /// The server responded with a status that the request doesn't accept.
        case rejected
        /// There was no response, or it couldn't be read; the connection was lost.
        case failed
        /// The caller cancelled.
        case cancelled
        /// The program ended before the entry did.
        case cutOff
    }

    /// The number of the entry in the file. Numbers increase in commit order.
    public var id: Int64
    /// The ID of the call, WebSocket or job; a log line has its own.
    public var uid: CallID
    /// The kind of the entry.
    public var kind: Kind
    /// The number of the program run that wrote it.
    public var run: Int64
    /// The time when it began; for a log line, when it was written.
    public var startedAt: Date
    /// The duration, including retries and pauses; nil for a log line and for an entry under way.
    public var duration: Duration?
    /// The outcome; nil for a log line and for an entry under way.
    public var outcome: Outcome?
    /// The last status received; for a WebSocket, the close code.
    public var status: Int?
    /// The method.
    public var method: String?
    /// The request's operation ID, or its name if it has none.
    public var operation: String?
    /// The request's display name; for a log line, the logger's label.
    public var name: String?
    /// The request's tags.
    public var tags: [String] = []
    /// The host and port of the URL, in lowercase.
    public var host: String?
    /// The redacted URL.
    public var url: String?
    /// The failure; nil if there was none.
    public var failure: StoredFailure?
    /// The message of a log line.
    public var message: String?
    /// The number of attempts; for a job, of the requests it sent.
    public var attempts = 0
    /// The number of retries among the attempts.
    public var retries = 0
    /// The last decision of the cache; nil if there is no cache.
    public var cache: String?
    /// The reason for that decision.
    public var cacheReason: String?
    /// The size of the request's body in bytes; for a WebSocket, of the sent messages.
    public var requestBytes: Int64?
    /// The size of the response's body in bytes; for a WebSocket, of the received messages.
    public var responseBytes: Int64?
    /// The media type of the request's body; nil if the headers weren't captured.
    public var requestType: String?
    /// The media type of the response's body; nil if the headers weren't captured.
    public var responseType: String?
    /// True if the last attempt reused a connection; nil if it isn't known.
    public var isReused: Bool?
    /// The protocol version of the last attempt: `1.1`, `2`.
    public var version: String?
    /// The peer's address and port.
    public var remoteAddress: String?
    /// The call that a log line belongs to, or the job that a call belongs to.
    public var owner: CallID?
    /// The level of a log line, in swift-log's spelling.
    public var level: String?
    /// Further details as text: the metadata of a log line, the reason in a close frame.
    public var detail: String?
    /// True if retention doesn't delete the entry.
    public var isPinned = false
    /// The comment of a user.
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

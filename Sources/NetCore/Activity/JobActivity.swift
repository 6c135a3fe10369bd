#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Something that a job does, for listeners (``ActivityInterest/jobs``): a download, an upload or an item of an outbox, which
/// outlives the calls that it makes and may outlive the program.
///
/// The URL and all texts are redacted. The activities of a job come in order; of those with the states `completed`, `failed`
/// and `cancelled` one comes, and it's the last.
public struct JobActivity: Sendable {
    /// The kind of a job.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A response that is written to a file.
        case download
        /// A file that is sent.
        case upload
        /// A request that is kept until it could be sent.
        case outbox
    }

    /// The state of a job.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It waits for its turn.
        case queued
        /// A call of it is running.
        case running
        /// The program has paused it.
        case paused
        /// It waits for the network, or before another attempt.
        case waiting
        /// It is done.
        case completed
        /// It has failed and isn't tried again.
        case failed
        /// The program has cancelled it.
        case cancelled

        /// True if nothing follows.
        public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
    }

    /// The ID of the job, which stays the same over all of its calls.
    public let job: CallID
    /// The number of the activity within its job, counted from 1.
    public let sequence: Int
    /// The wall-clock time.
    public let date: Date
    /// The kind of the job.
    public let kind: Kind
    /// The name that the program has given it; nil for none.
    public let title: String?
    /// The redacted URL.
    public let url: String
    /// The state that the job has now.
    public let state: State
    /// The number of bytes that have been carried. Default 0.
    public var bytes: Int64
    /// The number of bytes to carry; nil if it isn't known, which is the default.
    public var totalBytes: Int64?
    /// The number of calls that the job has begun. Default 0.
    public var attempts: Int
    /// Why the job, or its last call, has failed. Default nil.
    public var failure: NetError?
    /// The call that the job has just begun; nil if this activity doesn't begin one, which is the default.
    public var call: CallID?

    /// Creates an activity; `url` and `title` must already be redacted.
    public init(
        job: CallID, sequence: Int, date: Date, kind: Kind, title: String? = nil, url: String, state: State
    ) {
        self.job = job
        self.sequence = sequence
        self.date = date
        self.kind = kind
        self.title = title
        self.url = url
        self.state = state
        bytes = 0
        attempts = 0
    }
}

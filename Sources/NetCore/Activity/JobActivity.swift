#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An activity of a job, for listeners (``ActivityInterest/jobs``). A job is a download, an upload or an outbox item;
/// it outlives the calls that it makes and may outlive the program.
///
/// The URL and all texts are redacted. The activities of a job come in order. Only the last one has the state
/// `completed`, `failed` or `cancelled`.
public struct JobActivity: Sendable {
    /// The kind of a job.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A response that is written to a file.
        case download
        /// A file that is sent.
        case upload
        /// A request that is stored until it can be sent.
        case outbox
    }

    /// The state of a job.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// The job is waiting for its turn.
        case queued
        /// One of the job's calls is running.
        case running
        /// The program paused the job.
        case paused
        /// The job is waiting for the network, or before another attempt.
        case waiting
        /// The job finished successfully.
        case completed
        /// The job failed and isn't retried.
        case failed
        /// The program cancelled the job.
        case cancelled

        /// True for a state that no other state follows.
        public var isFinal: Bool { self == .completed || self == .failed || self == .cancelled }
    }

    /// The ID of the job, which is the same for all of its calls.
    public let job: CallID
    /// The number of the activity within its job, counted from 1.
    public let sequence: Int
    /// The wall-clock time.
    public let date: Date
    /// The kind of the job.
    public let kind: Kind
    /// The name that the program gave the job; nil if it has none.
    public let title: String?
    /// The redacted URL.
    public let url: String
    /// The new state of the job.
    public let state: State
    /// The number of bytes transferred. Default 0.
    public var bytes: Int64
    /// The number of bytes to transfer; nil if unknown. Default nil.
    public var totalBytes: Int64?
    /// The number of calls that the job has started. Default 0.
    public var attempts: Int
    /// The error of the job or of its last call. Default nil.
    public var failure: NetError?
    /// The job's own code for its failure: the code of a `DownloadError`, such as `checksumMismatch`, or the reason why
    /// an outbox item is parked, such as `exhausted`. Default nil: the code of ``failure`` applies.
    ///
    /// ``failure`` describes the last call, which may have been successful: a file with a wrong checksum was received
    /// completely.
    public var failureCode: String?
    /// The call that the job has just started; nil if this activity doesn't start one. Default nil.
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

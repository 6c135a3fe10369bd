package import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Runs one download to its end.
package protocol DownloadRunning: Sendable {
    /// Loads the file and moves it into its place. Retries by itself.
    ///
    /// Cancelling the task pauses: it flushes and notes what has come, then throws `.cancelled`; what has come stays. `report` may
    /// be called from any thread and doesn't block.
    func run(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> DownloadedFile
}

/// A download that is to run.
package struct DownloadJob: Sendable {
    /// The ID of the task.
    package let id: UUID
    /// What to load. After a restart it's made of the identity.
    package let request: DownloadRequest
    /// What the journal says.
    package let identity: DownloadIdentity

    package init(id: UUID, request: DownloadRequest, identity: DownloadIdentity) {
        self.id = id
        self.request = request
        self.identity = identity
    }
}

/// What a running download tells.
package enum DownloadReport: Sendable {
    /// A call has begun; the same one may be told several times.
    case call(CallID)
    /// A response has come.
    case response(status: Int, type: MediaType?)
    /// The length, if it is known, and the name of the file; the bytes that are already there count from now on.
    case began(total: Int64?, bytes: Int64, name: String)
    /// The bytes that are there now: they can become fewer when a download starts over.
    case bytes(Int64)
    /// The number of ranges that are loaded at once.
    case ranges(Int)
    /// An attempt has failed; this one follows after that time.
    case attempt(Int, after: Duration, DownloadError)
    /// Nothing can be written until there is room; tried again after that time.
    case noRoom(DownloadError, after: Duration)
}

extension DownloadReport {
    /// True if the run waits before it goes on.
    var isWaiting: Bool {
        switch self {
        case .attempt(_, let wait, _): wait > .zero
        case .noRoom: true
        case .call, .response, .began, .bytes, .ranges: false
        }
    }
}

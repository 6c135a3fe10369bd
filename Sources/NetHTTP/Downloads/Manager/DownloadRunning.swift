package import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Runs one download to its end.
package protocol DownloadRunning: Sendable {
    /// Downloads the file and moves it to its final place, with retries.
    ///
    /// Cancelling the task pauses: the bytes received are flushed and noted, and kept for later; then `.cancelled` is
    /// thrown. `report` may be called from any thread and doesn't block.
    func run(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> DownloadedFile
}

/// The input of a run: one download.
package struct DownloadJob: Sendable {
    /// The ID of the task.
    package let id: UUID
    /// The request. After a restart, it's created from the identity.
    package let request: DownloadRequest
    /// The content of the journal.
    package let identity: DownloadIdentity
    /// The logins that all requests must be sent with; nil for none.
    package let login: CallLogin?

    package init(id: UUID, request: DownloadRequest, identity: DownloadIdentity, login: CallLogin? = nil) {
        self.id = id
        self.request = request
        self.identity = identity
        self.login = login
    }
}

/// A report of a running download.
package enum DownloadReport: Sendable {
    /// A call has begun; the same one may be reported several times.
    case call(CallID)
    /// A response has arrived.
    case response(status: Int, type: MediaType?)
    /// The length, if known, and the name of the file; `bytes` is the number of bytes that already exist.
    case began(total: Int64?, bytes: Int64, name: String)
    /// The current number of bytes, which decreases if a download starts over.
    case bytes(Int64)
    /// The number of concurrent ranges.
    case ranges(Int)
    /// An attempt has failed; the attempt with this number follows after that time.
    case attempt(Int, after: Duration, DownloadError)
    /// The disk is too full to write; retried after that time.
    case noRoom(DownloadError, after: Duration)
}

extension DownloadReport {
    /// True if the run waits before it continues.
    var isWaiting: Bool {
        switch self {
        case .attempt(_, let wait, _): wait > .zero
        case .noRoom: true
        case .call, .response, .began, .bytes, .ranges: false
        }
    }
}

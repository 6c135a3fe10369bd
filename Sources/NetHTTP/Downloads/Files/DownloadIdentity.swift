internal import NetCore
package import NetCrypto

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The content of a task's journal: everything that a manager in another process needs to continue the task, except
/// for credentials.
package struct DownloadIdentity: Sendable, Hashable, Codable {
    package let id: UUID
    /// The whole URL, including secrets in its query. Never logged.
    package var url: String
    /// Other URLs of the same file.
    package var mirrors: [String] = []
    /// The name that the caller chose; nil to use the server's, or that of the URL.
    package var fileName: String?
    /// The folder below the manager's, as returned by ``DownloadName/folder(_:)``; empty for the manager's own.
    package var folder = ""
    package var priority: Int8 = 0
    /// The position among tasks of the same priority: lower first.
    package var order: Int64 = 0
    package var isPaused = false
    package var createdAt: Date
    /// The checksum from the caller.
    package var checksum: String?
    /// The behavior if a file with that name exists.
    package var existing: String?
    /// The networks that the task may use.
    package var network: String?
    /// The maximum number of parallel ranges.
    package var maximumRanges = 1
    /// True to set the file's modification time to the server's.
    package var keepsServerDate = false
    /// The file to upload; nil for a download.
    package var upload: UploadIdentity?
    /// The user that the task belongs to; nil if the user has no name.
    package var owner: SealedNames?
    /// The error of a task that has failed for good; nil for any other task.
    package var failure: Failure?
    /// The names of the request's headers, whose values aren't stored; nil for none.
    var headerNames: [String]?
    /// True if the URL was replaced after bytes had arrived.
    var isRelinked: Bool?

    /// An error in a journal.
    package struct Failure: Sendable, Hashable, Codable {
        package var code: String
        package var message: String
        package var status: Int?
    }

    package init(id: UUID, url: String, createdAt: Date) {
        (self.id, self.url, self.createdAt) = (id, url, createdAt)
    }
}

extension DownloadIdentity.Failure {
    init(_ error: DownloadError) { (code, message, status) = (error.code.rawValue, error.message, error.status) }

    /// The error, with the URL of its task.
    func error(_ url: String) -> DownloadError {
        DownloadError(DownloadError.Code(rawValue: code), message: message, url: url, status: status)
    }
}

extension DownloadIdentity: CustomStringConvertible, CustomReflectable {
    /// The ID and the redacted URL.
    package var description: String { "\(id.uuidString.lowercased()) \(RedactionPolicy.safeDefault.redact(url: url))" }
    /// The same, without the mirrors, whose URLs may contain secrets too.
    package var customMirror: Mirror { Mirror(self, children: ["identity": description]) }
}

internal import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What a journal says of a task: everything that a manager needs to take it up again in another process, but no
/// credentials.
package struct DownloadIdentity: Sendable, Hashable, Codable {
    package let id: UUID
    /// The whole URL, secrets in its query included. Never logged.
    package var url: String
    /// Other URLs of the same file.
    package var mirrors: [String] = []
    /// The name that the caller chose; nil: the server's, or that of the URL.
    package var fileName: String?
    /// The folder below the manager's, as ``DownloadName/folder(_:)`` makes it; empty for the manager's own.
    package var folder = ""
    package var priority: Int8 = 0
    /// The place among tasks of the same priority: lower first.
    package var order: Int64 = 0
    package var isPaused = false
    package var createdAt: Date
    /// The checksum that the caller gave.
    package var checksum: String?
    /// What happens if there is a file of that name.
    package var existing: String?
    /// The networks that may be used.
    package var network: String?
    /// The maximum number of parallel ranges.
    package var maximumRanges = 1
    /// True if the file gets the time of the server's.
    package var keepsServerDate = false
    /// The file to send; nil for a download.
    package var upload: UploadIdentity?

    package init(id: UUID, url: String, createdAt: Date) {
        (self.id, self.url, self.createdAt) = (id, url, createdAt)
    }
}

extension DownloadIdentity: CustomStringConvertible, CustomReflectable {
    /// The ID and the redacted URL.
    package var description: String { "\(id.uuidString.lowercased()) \(RedactionPolicy.safeDefault.redact(url: url))" }
    /// The same, without the mirrors, whose URLs may hold secrets too.
    package var customMirror: Mirror { Mirror(self, children: ["identity": description]) }
}

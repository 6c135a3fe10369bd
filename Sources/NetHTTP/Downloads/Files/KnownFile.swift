internal import NetCore
internal import NetCrypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A complete download: the properties of its response, and those that show that the file is still the same.
struct KnownFile: Sendable, Hashable, Codable {
    /// The digest of the URL and the folder, so that the list contains no secrets.
    var source: String
    /// The folder below the manager's; empty for the manager's own.
    var folder: String
    var name: String
    var eTag: String?
    var lastModified: String?
    /// The length of the body; nil if the server didn't specify it.
    var total: Int64?
    /// The content coding of the body; nil for none.
    var coding: String?
    var status: DiskStatus

    /// The maximum size of a validator; a file with a longer one has none.
    private static let maximumTextBytes = 1 << 10

    /// Creates the record of a file; nil if the system forbids SHA-256.
    init?(url: String, folder: String, name: String, version: DownloadVersion?, status: DiskStatus) {
        guard let source = Self.source(url, folder) else { return nil }
        func short(_ text: String?) -> String? { text.flatMap { $0.utf8.count <= Self.maximumTextBytes ? $0 : nil } }
        (self.source, self.folder, self.name, self.status) = (source, folder, name, status)
        (eTag, lastModified) = (short(version?.validators.eTag), short(version?.validators.lastModified))
        (total, coding) = (version?.length, short(version?.coding))
    }

    /// The path below the manager's folder.
    var path: String { folder.isEmpty ? name : "\(folder)/\(name)" }

    /// Returns the digest of a URL and a folder; nil if the system forbids SHA-256.
    static func source(_ url: String, _ folder: String) -> String? {
        RunningHash.digest(of: Bytes("\(folder)\0\(url)".utf8), .sha256)?.hexadecimal
    }
}

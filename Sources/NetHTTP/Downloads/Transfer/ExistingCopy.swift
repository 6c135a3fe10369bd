internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A file that is in the place of a download already, with the properties of the version that it's a copy of.
struct ExistingCopy: Sendable, Hashable {
    var name: String
    var eTag: String?
    var lastModified: String?
    var total: Int64?
    var coding: String?

    /// Creates the copy that an earlier download made.
    init(_ known: KnownFile) {
        (name, eTag, lastModified) = (known.name, known.eTag, known.lastModified)
        (total, coding) = (known.total, known.coding)
    }

    /// Creates the copy that another program may have made. Programs that keep the server's time, such as `wget -N`,
    /// leave nothing else to compare.
    init(name: String, _ status: DiskStatus) {
        self.name = name
        lastModified = HTTPDate.string(from: Date(timeIntervalSince1970: Double(status.modified / 1_000_000_000)))
        total = status.length
    }

    /// Creates a copy that was verified by its checksum.
    init(name: String) { self.name = name }

    /// Returns true if a response would deliver the same version again: its entity tag is the same, or if the copy has
    /// none, its date and its length are. A later or earlier date proves nothing: servers restore old files, and return
    /// 304 for any date that isn't before theirs.
    func isCurrent(_ head: ResponseHead, length: Int64?) -> Bool {
        guard FileCoding(head)?.text == coding else { return false }
        if let eTag {
            return head[.eTag] == eTag && (length == nil || total == nil || length == total)
        }
        guard let lastModified, let total, total == length else { return false }
        return head[.lastModified] == lastModified
    }
}

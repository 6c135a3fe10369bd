internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DownloadValidators {
    /// Creates the validators of a response.
    init(_ head: ResponseHead) {
        self.init(eTag: head[.eTag], lastModified: head[.lastModified], date: head[.date])
    }

    /// The entity tag, if it's strong: two files with the same tag have the same bytes (RFC 9110 section 8.8.3).
    var strongTag: String? {
        guard let eTag, eTag.hasPrefix("\""), eTag.hasSuffix("\""), eTag.utf8.count >= 2 else { return nil }
        return eTag
    }

    /// The modification time, if it's at least a second before the response: the file can't have changed twice within
    /// that second (RFC 9110 section 8.8.2.2).
    var strongTime: String? {
        guard let lastModified, let date, let changed = HTTPDate.date(from: lastModified),
            let sent = HTTPDate.date(from: date), sent.timeIntervalSince(changed) >= 1
        else { return nil }
        return lastModified
    }

    /// The value of `If-Range`; nil without a strong validator (RFC 9110 section 13.1.5).
    var condition: String? { strongTag ?? strongTime }

    /// Returns true if a part with the validators `part` isn't from the same file.
    ///
    /// A 206 must repeat the entity tag (RFC 9110 section 15.3.7), so a missing strong tag means a different file.
    /// `Last-Modified` may be missing.
    func contradicts(_ part: DownloadValidators) -> Bool {
        if let eTag { return part.eTag.map { $0 != eTag } ?? (strongTag != nil) }
        guard let lastModified, let other = part.lastModified else { return false }
        return other != lastModified
    }
}

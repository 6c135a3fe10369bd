/// The header values that distinguish versions of a file on a server, as received.
package struct DownloadValidators: Sendable, Hashable, Codable {
    package var eTag: String?
    package var lastModified: String?
    /// The `Date` of the response, which determines whether `lastModified` is a strong validator (RFC 9110 section
    /// 8.8.2.2).
    package var date: String?

    package init(eTag: String? = nil, lastModified: String? = nil, date: String? = nil) {
        (self.eTag, self.lastModified, self.date) = (eTag, lastModified, date)
    }
}

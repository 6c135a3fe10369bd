/// The version of a file that a part file holds bytes of, as the response described it.
package struct DownloadVersion: Sendable, Hashable {
    package var validators: DownloadValidators
    /// The length of the whole file in bytes; nil if the server didn't say it.
    package var length: Int64?
    /// The name that the response gave to the file; nil if it gave none.
    package var fileName: String?

    package init(
        validators: DownloadValidators = DownloadValidators(), length: Int64? = nil, fileName: String? = nil
    ) {
        (self.validators, self.length, self.fileName) = (validators, length, fileName)
    }
}

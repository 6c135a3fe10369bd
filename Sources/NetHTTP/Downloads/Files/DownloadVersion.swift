/// The version of the file to which a part file's bytes belong, as described by the response.
package struct DownloadVersion: Sendable, Hashable {
    package var validators: DownloadValidators
    /// The length of the whole file in bytes; nil if the server didn't specify it.
    package var length: Int64?
    /// The file name in the response; nil if there was none.
    package var fileName: String?
    /// The content coding of the bytes, such as `gzip`; nil for none.
    package var coding: String?
    /// True if the name or the type shows that the file is in that coding, so that it isn't decoded.
    package var isPacked = false

    package init(
        validators: DownloadValidators = DownloadValidators(), length: Int64? = nil, fileName: String? = nil,
        coding: String? = nil
    ) {
        (self.validators, self.length, self.fileName, self.coding) = (validators, length, fileName, coding)
    }
}

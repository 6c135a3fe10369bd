internal import HTTPTypes
internal import NetCore

/// The headers of both protocols.
extension HTTPField.Name {
    static let acceptPatch: HTTPField.Name = "Accept-Patch"
    static let interopVersion: HTTPField.Name = "Upload-Draft-Interop-Version"
    static let tusChecksumAlgorithm: HTTPField.Name = "Tus-Checksum-Algorithm"
    static let tusExtension: HTTPField.Name = "Tus-Extension"
    static let tusMaxSize: HTTPField.Name = "Tus-Max-Size"
    static let tusResumable: HTTPField.Name = "Tus-Resumable"
    static let tusVersion: HTTPField.Name = "Tus-Version"
    static let uploadChecksum: HTTPField.Name = "Upload-Checksum"
    static let uploadComplete: HTTPField.Name = "Upload-Complete"
    static let uploadExpires: HTTPField.Name = "Upload-Expires"
    static let uploadIncomplete: HTTPField.Name = "Upload-Incomplete"
    static let uploadLength: HTTPField.Name = "Upload-Length"
    static let uploadLimit: HTTPField.Name = "Upload-Limit"
    static let uploadMetadata: HTTPField.Name = "Upload-Metadata"
    static let uploadOffset: HTTPField.Name = "Upload-Offset"
    static let wantReprDigest: HTTPField.Name = "Want-Repr-Digest"
}

extension ResponseHead {
    /// Returns the header's number of bytes or seconds; nil if the header is absent or isn't a non-negative integer.
    func count(_ name: HTTPField.Name) -> Int64? {
        guard let text = self[name]?.trimmed, !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 })
        else {
            return nil
        }
        return Int64(text)
    }

    /// Returns the members of a list, such as `creation,checksum`, in lowercase.
    func words(_ name: HTTPField.Name) -> [String] {
        (self[name] ?? "").split(separator: ",").map { String($0).trimmed.lowercased() }
    }

    /// True if the server reports that it has the whole file, false if it reports that it doesn't; nil if it reports
    /// neither.
    var isUploadComplete: Bool? {
        if let item = try? headers.structuredItem(.uploadComplete), let value = item.value.boolean { return value }
        if let item = try? headers.structuredItem(.uploadIncomplete), let value = item.value.boolean { return !value }
        return nil
    }
}

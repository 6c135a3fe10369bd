internal import HTTPTypes
internal import NetCore

/// The headers of the requests of an upload, for each protocol.
struct UploadHeaders: Sendable {
    let server: UploadServer
    /// The size of the file in bytes.
    let size: Int64

    /// The headers of a request that begins the upload.
    ///
    /// - Parameters:
    ///   - upload: The file's name, type and metadata.
    ///   - bytes: The number of bytes in the body.
    func creation(_ upload: UploadIdentity, bytes: Int64) -> HTTPFields {
        var fields = HTTPFields()
        switch server.kind {
        case .tus:
            fields[.tusResumable] = "1.0.0"
            fields[.uploadLength] = "\(size)"
            fields[.uploadMetadata] = upload.tusMetadata
            if bytes > 0 { fields[.contentType] = "application/offset+octet-stream" }
        case .resumable, .unknown:
            fields[.interopVersion] = "\(server.interop)"
            setCompleteness(bytes == size, &fields)
            if server.interop >= 6 { fields[.uploadLength] = "\(size)" }
            describe(upload, &fields)
        case .plain: describe(upload, &fields)
        }
        return fields
    }

    /// The headers of a request for the offset, or for the deletion of the upload.
    var question: HTTPFields {
        var fields = HTTPFields()
        switch server.kind {
        case .tus: fields[.tusResumable] = "1.0.0"
        case .resumable, .unknown: fields[.interopVersion] = "\(server.interop)"
        case .plain: break
        }
        return fields
    }

    /// The headers of a request with bytes that start at an offset.
    func bytes(at offset: Int64, count: Int64) -> HTTPFields {
        var fields = question
        fields[.uploadOffset] = "\(offset)"
        guard server.kind != .tus else {
            fields[.contentType] = "application/offset+octet-stream"
            return fields
        }
        setCompleteness(offset + count == size, &fields)
        if server.interop >= 6 {
            fields[.contentType] = "application/partial-upload"
            fields[.uploadLength] = "\(size)"
        }
        return fields
    }

    private func setCompleteness(_ isComplete: Bool, _ fields: inout HTTPFields) {
        // Interop version 3 has a header with the opposite meaning.
        if server.interop > 3 {
            fields[.uploadComplete] = isComplete ? "?1" : "?0"
        } else {
            fields[.uploadIncomplete] = isComplete ? "?0" : "?1"
        }
    }

    private func describe(_ upload: UploadIdentity, _ fields: inout HTTPFields) {
        fields[.contentType] = upload.type
        fields[.contentDisposition] = ContentDisposition(kind: "inline", filename: upload.name).value
    }
}

extension UploadIdentity {
    /// `filename` and `filetype`, which are established among servers and clients, and the app's metadata, which
    /// takes precedence for equal keys.
    fileprivate var tusMetadata: String {
        var all = ["filename": name, "filetype": type]
        all.merge(metadata) { $1 }
        return all.sorted { $0.key < $1.key }
            .map { $0.value.isEmpty ? $0.key : "\($0.key) \(Base64.encode(Bytes($0.value.utf8)))" }
            .joined(separator: ",")
    }
}

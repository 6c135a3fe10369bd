/// The protocol of an upload.
public enum UploadProtocol: String, Sendable, Hashable, Codable, CaseIterable {
    /// The protocol that the server announces in its response to OPTIONS. The default. If the server announces none,
    /// the file is sent in one request that offers resumption; if the server accepts the offer (status 104), the
    /// upload can be resumed.
    case automatic
    /// tus 1.0.0 (<https://tus.io/protocols/resumable-upload>).
    case tus
    /// Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload-12, interop version 8; versions 3 to 7 if the
    /// server requests one of them).
    case resumable
    /// One request with the whole file, which any server supports. After an interruption, it starts over.
    case plain
}

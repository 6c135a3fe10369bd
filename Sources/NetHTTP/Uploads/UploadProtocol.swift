/// The protocol of an upload.
public enum UploadProtocol: String, Sendable, Hashable, Codable, CaseIterable {
    /// The one that the server announces in its response to OPTIONS. The default. A server that announces none gets the file in one
    /// request that offers to be resumed; if the server takes the offer (status 104), the upload can be continued.
    case automatic
    /// tus 1.0.0 (<https://tus.io/protocols/resumable-upload>).
    case tus
    /// Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload-12, interop version 8; versions 3 to 7 if the server asks for
    /// one of them).
    case resumable
    /// One request with the whole file, as any server understands it. After an interruption, it begins again.
    case plain
}

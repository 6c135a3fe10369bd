public import NetCore

/// The result of an upload.
public struct UploadedFile: Sendable {
    /// The path of the local file.
    public var path: String
    /// The size in bytes.
    public var bytes: Int64
    /// The protocol used; never ``UploadProtocol/automatic``.
    public var uploadProtocol: UploadProtocol
    /// The absolute URL from the server's `Location`: of the upload, or of the resource created from it. Nil if there
    /// was none. It may contain secrets.
    public var location: String?
    /// The last response, with its headers. Nil if it was lost, and the server later reported that the upload is
    /// complete.
    public var response: ResponseHead?
    /// The body of the last response, up to 1 MiB; empty for a longer one.
    public var body: Bytes

    /// The maximum size of a response body that is kept.
    static let maximumBodyBytes = 1 << 20

    /// Creates a value.
    public init(
        path: String, bytes: Int64, uploadProtocol: UploadProtocol, location: String? = nil,
        response: ResponseHead? = nil,
        body: Bytes = Bytes()
    ) {
        self.path = path
        self.bytes = bytes
        self.uploadProtocol = uploadProtocol
        self.location = location
        self.response = response
        self.body = body
    }
}

extension UploadedFile: CustomStringConvertible, CustomReflectable {
    /// `film.mp4: 10 B by tus`, without secrets.
    public var description: String {
        "\(path.split(separator: "/").last.map(String.init) ?? path): \(bytes) B by \(uploadProtocol.rawValue)"
    }

    /// The properties without secrets, and without the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "path": path, "bytes": bytes, "protocol": uploadProtocol, "location": location.map(Printed.url) as Any,
                "status": response?.status.code as Any, "bodyBytes": body.count,
            ], displayStyle: .struct)
    }
}

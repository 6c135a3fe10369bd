public import HTTPTypes
public import NetCore

/// A file to upload, with the destination and the settings of its upload.
///
///     var request = UploadRequest("/home/ada/film.mp4", to: "https://example.com/files/")
///     request.metadata = ["album": "Lovelace"]
///     let id = try await manager.enqueue(request)
public struct UploadRequest: Sendable {
    /// The path of the file, which is read while it's sent. It must be a regular file, and must not change before the
    /// upload is complete: the upload of a changed file starts over.
    public var file: String
    /// The URL, `http` or `https`: the resource that creates uploads (``uploadProtocol``), or the target of a plain
    /// request.
    public var url: String
    /// The protocol. Default ``UploadProtocol/automatic``.
    public var uploadProtocol: UploadProtocol
    /// The method of the request that begins the upload; tus always uses POST. Default POST. A plain upload by POST
    /// isn't repeated once the server may have received it; one by PUT is.
    public var method: HTTPRequest.Method
    /// The name sent to the server, in `Upload-Metadata` (`filename`) or `Content-Disposition`. Default nil: the
    /// file's name.
    public var name: String?
    /// The media type sent to the server. Default nil: derived from the file's name, else `application/octet-stream`.
    public var type: MediaType?
    /// Additional names and values for `Upload-Metadata` of tus. Default none. They're stored in the journal. A name
    /// consists of ASCII characters without spaces and commas.
    public var metadata: [String: String]
    /// The maximum number of bytes in one request. Default nil: the server's limit, else the rest of the file.
    /// Smaller requests help with servers and proxies that buffer whole bodies.
    public var requestBytes: Int64?
    /// True to send the SHA-256 digest of the whole file (`Repr-Digest`, RFC 9530), which requires reading the file
    /// an additional time. Default false: the digest is sent only to servers that request it. tus instead has a
    /// checksum for each request, which is sent to servers that announce support.
    public var sendsDigest: Bool
    /// The priority among waiting transfers. Default normal.
    public var priority: RequestPriority
    /// Headers for the requests of this upload, such as credentials. Default none. They're sent only to the origin of
    /// ``url``, and aren't stored in the journal, since they may be secrets: a restored upload gets them from
    /// ``DownloadManager/Configuration/restoredHeaders``, or fails. The client adds its own headers in any case.
    public var headers: HTTPFields
    /// The networks that the upload may use. Default ``DownloadNetwork/any``.
    public var network: DownloadNetwork

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - file: The path of the file, or its URL.
    ///   - url: The URL to upload to.
    ///   - uploadProtocol: The protocol: ``uploadProtocol``.
    ///   - method: The method: ``method``.
    ///   - name: The name for the server: ``name``.
    ///   - type: The media type: ``type``.
    ///   - metadata: Further metadata: ``metadata``.
    ///   - requestBytes: The maximum size of one request: ``requestBytes``.
    ///   - sendsDigest: True to send digests: ``sendsDigest``.
    ///   - priority: The priority: ``priority``.
    ///   - headers: Further headers: ``headers``.
    ///   - network: The networks that may be used: ``network``.
    public init(
        _ file: some FilePathConvertible, to url: some URLConvertible,
        protocol uploadProtocol: UploadProtocol = .automatic,
        method: HTTPRequest.Method = .post, name: String? = nil, type: MediaType? = nil,
        metadata: [String: String] = [:],
        requestBytes: Int64? = nil, sendsDigest: Bool = false, priority: RequestPriority = .normal,
        headers: HTTPFields = [:], network: DownloadNetwork = .any
    ) {
        self.file = file.filePath
        self.url = url.urlText
        self.uploadProtocol = uploadProtocol
        self.method = method
        self.name = name
        self.type = type
        self.metadata = metadata
        self.requestBytes = requestBytes
        self.sendsDigest = sendsDigest
        self.priority = priority
        self.headers = headers
        self.network = network
    }

    /// Returns the reason why the request is invalid; nil if it's valid.
    var problem: String? {
        if let requestBytes, requestBytes < 1 { return "requestBytes is \(requestBytes); it must be at least 1" }
        for name in metadata.keys.sorted()
        where name.isEmpty || !name.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 44 }) {
            return "the metadata has the name \"\(name.onOneLine)\"; names are ASCII without spaces and commas"
        }
        return nil
    }
}

extension UploadRequest: CustomStringConvertible, CustomReflectable {
    /// The file and the redacted URL.
    public var description: String { "UploadRequest(\(file), to: \(Printed.url(url)))" }

    /// The properties, without secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "file": file, "url": Printed.url(url), "protocol": uploadProtocol, "method": "\(method)",
                "name": name as Any, "type": type.map { "\($0)" } as Any, "metadata": metadata.keys.sorted(),
                "requestBytes": requestBytes as Any, "sendsDigest": sendsDigest, "priority": priority.rawValue,
                "headers": Printed.headers(headers), "network": "\(network)",
            ], displayStyle: .struct)
    }
}

extension DownloadRequest {
    /// Creates the part of an upload's request that all transfers share.
    init(_ upload: UploadRequest, name: String) {
        self.init(
            upload.url, fileName: name, priority: upload.priority, headers: upload.headers, network: upload.network)
    }
}

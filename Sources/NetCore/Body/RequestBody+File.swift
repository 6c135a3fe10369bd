extension RequestBody {
    /// Creates a body of a file, which is read piece by piece while it's sent and never held in memory.
    ///
    /// The length is read when the request is prepared, so `Content-Length` is exact; the request can be sent again.
    /// Preparing throws `.encoding` if the file is missing, unreadable or not a regular file (files of `/proc` count as
    /// irregular); sending throws it if the file vanishes or shrinks later. Bytes that it gains meanwhile aren't sent.
    /// The file is read on a separate thread.
    ///
    ///     let body = RequestBody.file("/var/log/app.log", contentType: "text/plain")
    ///     let request = Request("logs", method: .put, body: body, serializer: .discard)
    ///     print(request.method)
    ///
    /// - Parameters:
    ///   - file: The path of the file, or its URL.
    ///   - contentType: The `Content-Type`. Default nil: the type for the file's name, or `application/octet-stream`.
    public static func file(_ file: some FilePathConvertible, contentType: String? = nil) -> RequestBody {
        let path = file.filePath
        return RequestBody { _ in
            let length = try ReadableFile.length(path: path)
            let type = contentType ?? (MediaType.forFile(named: path) ?? .octetStream).description
            return Resolved(
                .stream(length: length, isReplayable: true) { FileBodySource(path: path, length: length) },
                contentType: type)
        }
    }
}

extension MediaType {
    /// Returns the type of a file, determined from its first bytes or else from its name. Reads it on a separate
    /// thread.
    ///
    /// Nil if neither is conclusive. Throws `.encoding` if the file can't be read.
    ///
    ///     let type = try await MediaType.ofFile("/tmp/photo")
    ///     print(type ?? .octetStream)
    public static func ofFile(_ path: String) async throws(NetError) -> MediaType? {
        let head = try await FileThreads.shared.run { () throws(NetError) in
            try ReadableFile(path: path).read(at: 0, count: sniffedBytes)
        }
        return sniff(head) ?? forFile(named: path)
    }
}

extension RequestBody {
    /// A file, read piece by piece while it goes out and never held in memory.
    ///
    /// Its length is asked for when the request is prepared, so `Content-Length` is exact; the request can be sent again.
    /// A file that is absent, may not be read or is no regular one, as those of `/proc`, is an `.encoding` error then; one
    /// that vanishes or shrinks later is one while it is sent. What it grows by meanwhile is left out. It is read on a thread
    /// for files.
    ///
    ///     let body = RequestBody.file("/var/log/app.log", contentType: "text/plain")
    ///     let request = Request("logs", method: .put, body: body, serializer: .discard)
    ///     print(request.method)
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - contentType: The `Content-Type`. Default nil: what the file's name says, else `application/octet-stream`.
    public static func file(_ path: String, contentType: String? = nil) -> RequestBody {
        RequestBody { _ in
            let length = try ReadableFile.length(path: path)
            let type = contentType ?? (MediaType.forFile(named: path) ?? .octetStream).description
            return Resolved(
                .stream(length: length, isReplayable: true) { FileBodySource(path: path, length: length) },
                contentType: type)
        }
    }
}

extension MediaType {
    /// What the first bytes of a file say it is, else its name; read on a thread for files.
    ///
    /// Nil where neither says anything. Throws `.encoding` for a file that cannot be read.
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

#if Tools && Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting
internal import Synchronization

/// A tus server of the lab that stores each byte in memory as it arrives.
final class UploadDepot: Sendable {
    /// An upload of the depot.
    struct Upload: Sendable {
        var bytes = Bytes()
        var length: Int
    }

    private let uploads = Mutex<[String: Upload]>([:])
    /// The number of bytes in all bodies, including bytes that arrived twice.
    private let received = Mutex(0)

    var receivedBytes: Int { received.withLock { $0 } }
    /// The uploads; the lab creates only one.
    var all: [Upload] { uploads.withLock { Array($0.values) } }

    /// The stubs for tus 1.0 with creation and termination, at `/files/`.
    var stubs: [Stub] {
        [
            Stub(.options, "/files/") { _ in
                self.response(204).header("Tus-Version", "1.0.0").header("Tus-Extension", "creation,termination")
            }
            .optional(),
            Stub(.post, "/files/") { request in
                guard let length = request.headers["Upload-Length"].flatMap({ Int($0) }), length >= 0 else {
                    return self.response(400)
                }
                let id = self.uploads.withLock { uploads in
                    uploads["\(uploads.count + 1)"] = Upload(length: length)
                    return uploads.count
                }
                return self.response(201).header(.location, "/files/\(id)")
            }
            .optional(),
            Stub(.head, "/files/{id}") { request in
                guard let upload = self.upload(request) else { return self.response(404) }
                return self.response(200).header("Upload-Offset", "\(upload.bytes.count)")
                    .header("Upload-Length", "\(upload.length)")
            }
            .optional(),
            Stub.streaming(.patch, "/files/{id}") { request, body in try await self.take(request, body) }.optional(),
            Stub(.delete, "/files/{id}") { request in
                self.uploads.withLock { $0[request.parameters["id"] ?? ""] = nil }
                return self.response(204)
            }
            .optional(),
        ]
    }

    /// Appends the part of a body that arrives.
    private func take(_ request: StubRequest, _ body: StubBodyReader) async throws -> StubResponse {
        guard let upload = upload(request), let id = request.parameters["id"] else { return response(404) }
        guard request.headers["Upload-Offset"] == "\(upload.bytes.count)" else { return response(409) }
        for try await piece in body {
            received.withLock { $0 += piece.count }
            uploads.withLock { $0[id]?.bytes += piece }
        }
        return response(204).header("Upload-Offset", "\(self.upload(request)?.bytes.count ?? 0)")
    }

    private func upload(_ request: StubRequest) -> Upload? {
        uploads.withLock { $0[request.parameters["id"] ?? ""] }
    }

    private func response(_ status: Int) -> StubResponse {
        StubResponse.status(.init(code: status)).header("Tus-Resumable", "1.0.0")
    }
}
#endif

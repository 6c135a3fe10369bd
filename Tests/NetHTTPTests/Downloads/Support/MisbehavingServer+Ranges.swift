#if Server
import HTTPTypes
import NetCore
import NetTesting

extension MisbehavingServer {
    /// The first response breaks off, and the response to the request for the rest isn't the rest. Without `Range`,
    /// they send the whole file.
    private static func resumed(
        _ description: String, _ ending: Ending = .file, _ rest: @escaping @Sendable (Int) -> StubResponse
    ) -> MisbehavingServer {
        MisbehavingServer(description, ending, resumes: .needed) { visit in
            guard let start = visit.start else { return visit.isFirst ? .tagged.cut : .tagged }
            return rest(Int(start))
        }
    }

    /// `Range` and `Content-Range` (RFC 9110 sections 14 and 15.3.7).
    static let ranges: [MisbehavingServer] = [
        resumed("Range is ignored") { _ in .tagged },
        resumed("206 begins at the file's start") { _ in .part(0..<length) },
        resumed("206 begins one byte late") { .part($0 + 1..<length) },
        resumed("206 begins one byte early") { .part($0 - 1..<length) },
        resumed("206 says where it was asked to begin, in a longer file") {
            .part($0..<length, says: "bytes \($0)-\(length)/\(length + 1)")
        },
        resumed("206 doesn't know the whole length") {
            .part($0..<length, says: "bytes \($0)-\(length - 1)/*")
        },
        resumed("206 without Content-Range") { start in .part(start..<length).without(.contentRange) },
        resumed("206 with a Content-Range that makes no sense") { start in
            .part(start..<length, says: "bytes \(length)-\(start)/\(length)")
        },
        resumed("206 in another unit") { .part($0..<length, says: "pages 2-5/5") },
        resumed("206 has less than was asked for") { .part($0..<min($0 + 25_000, length)) },
        resumed("206 as multipart/byteranges") { start in
            let head = "--b\r\nContent-Range: bytes \(start)-\(length - 1)/\(length)\r\n\r\n"
            let body = Array(head.utf8) + Array(file[start..<length]) + Array("\r\n--b--\r\n".utf8)
            var response = StubResponse.bytes(body, status: .partialContent).header(.eTag, "\"1\"")
            response.headers[.contentType] = "multipart/byteranges; boundary=b"
            return response
        },
        resumed("416 to every Range") { _ in
            StubResponse.status(.rangeNotSatisfiable).header(.contentRange, "bytes */\(length)")
        },
        resumed("416 that names another length") { _ in
            StubResponse.status(.rangeNotSatisfiable).header(.contentRange, "bytes */\(cut - 1)")
        },
        resumed("416 without Content-Range") { _ in .status(.rangeNotSatisfiable) },
        MisbehavingServer("206 to a request without Range", .error(["rejected", "wrongLength", "network"])) { _ in
            .part(0..<Int(cut))
        },
        MisbehavingServer("416 to a request without Range", .error(["rejected"])) { _ in
            .status(.rangeNotSatisfiable)
        },
        MisbehavingServer("416 when nothing but the end was missing", .file, resumes: .needed) { visit in
            guard let start = visit.start else {
                // All bytes, but not the last chunk, which marks the end.
                return .tagged.chunked.dropping(.afterBodyBytes(Int64(length)))
            }
            guard start == length else { return .part(Int(start)..<length) }
            return StubResponse.status(.rangeNotSatisfiable).header(.contentRange, "bytes */\(length)")
        },
    ]
}
#endif

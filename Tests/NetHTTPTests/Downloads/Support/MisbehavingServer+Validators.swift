#if Server
import HTTPTypes
import NetCore
import NetTesting

extension MisbehavingServer {
    private static let early = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let late = "Sun, 06 Nov 1994 08:49:38 GMT"

    /// Serves ranges correctly, but breaks off the first response.
    private static func honest(_ visit: Visit, _ response: StubResponse) -> StubResponse {
        let answer = response.part(for: visit.request)
        return visit.isFirst ? answer.cut : answer
    }

    /// The validators of whether the rest belongs to the same file (RFC 9110 sections 8.8 and 13.1.5).
    static let validators: [MisbehavingServer] = [
        MisbehavingServer("a strong ETag", .file, resumes: .needed) { honest($0, .tagged) },
        MisbehavingServer("a weak ETag alone", .file, resumes: .forbidden) {
            honest($0, .untagged.header(.eTag, "W/\"1\""))
        },
        MisbehavingServer("nothing that tells the file from another", .file, resumes: .forbidden) {
            honest($0, .untagged)
        },
        MisbehavingServer("nothing that tells, but a checksum", .file, hasChecksum: true) { visit in
            honest(visit, .untagged)
        },
        MisbehavingServer("another file and nothing that tells, but a checksum", .file, hasChecksum: true) { visit in
            // For a download that starts from the beginning, the file is the right one again.
            if visit.isFirst { return .untagged.cut }
            return visit.start == nil ? .untagged : StubResponse.bytes(changed.prefix(length)).part(for: visit.request)
        },
        MisbehavingServer("Last-Modified a second before Date", .file, resumes: .needed) {
            honest($0, .untagged.header(.lastModified, early).header(.date, late))
        },
        MisbehavingServer("Last-Modified in the second of Date", .file, resumes: .forbidden) {
            honest($0, .untagged.header(.lastModified, late).header(.date, late))
        },
        MisbehavingServer("changed file, If-Range minded", .changedFile, resumes: .needed) { visit in
            visit.isFirst ? .tagged.cut : StubResponse.retagged.part(for: visit.request)
        },
        MisbehavingServer("changed file, If-Range ignored", .changedFile, resumes: .needed) { visit in
            guard let start = visit.start else { return visit.isFirst ? .tagged.cut : .retagged }
            return .part(Int(start)..<changed.count, tag: "\"2\"", of: changed)
        },
        MisbehavingServer("changed file of the same length, If-Range ignored", .changedFile, resumes: .needed) {
            visit in
            guard let start = visit.start else { return visit.isFirst ? .tagged.cut : .retagged }
            return .part(
                Int(start)..<length, says: "bytes \(start)-\(length - 1)/\(length)", tag: "\"2\"", of: changed)
        },
        MisbehavingServer("206 without the ETag", .file, resumes: .needed) { visit in
            guard let start = visit.start else { return visit.isFirst ? .tagged.cut : .tagged }
            return .part(Int(start)..<length, tag: nil)
        },
        MisbehavingServer("206 with the ETag made weak", .file, resumes: .needed) { visit in
            guard let start = visit.start else { return visit.isFirst ? .tagged.cut : .tagged }
            return .part(Int(start)..<length, tag: "W/\"1\"")
        },
        MisbehavingServer("another ETag with each answer", .file) { visit in
            let tagged = StubResponse.untagged.header(.eTag, "\"\(visit.number)\"")
            return visit.number < 2 ? tagged.part(for: visit.request).cut : tagged.part(for: visit.request)
        },
        MisbehavingServer("a wrong Repr-Digest", .error(["checksumMismatch"])) { _ in
            .tagged.header("Repr-Digest", "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:")
        },
        MisbehavingServer("another file than the checksum's", .error(["checksumMismatch"]), hasChecksum: true) { _ in
            .retagged
        },
        MisbehavingServer("a page that says sorry with status 200", .error(["checksumMismatch"]), hasChecksum: true) {
            _ in .text("<html>Please log in</html>")
        },
    ]
}
#endif

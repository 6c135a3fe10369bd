#if Server
import HTTPTypes
import NetCore
import NetTesting
import TestSupport

extension MisbehavingServer {
    private static let gzipped = StubResponse.bytes(CodedSample.gzip(file))
        .header(.contentEncoding, "gzip").header(.eTag, "\"1-gzip\"")

    /// `Content-Encoding` although `identity` was requested.
    static let codings: [MisbehavingServer] = [
        MisbehavingServer("gzip", .file) { _ in gzipped },
        MisbehavingServer("gzip that breaks off", .file, resumes: .forbidden) { visit in
            visit.isFirst ? gzipped.dropping(.afterBodyBytes(200)) : gzipped.part(for: visit.request)
        },
        MisbehavingServer("gzip in a 206", .file, resumes: .needed) { visit in
            guard visit.start != nil else { return visit.isFirst ? .tagged.cut : .tagged }
            return .part(Int(cut)..<length).header(.contentEncoding, "gzip")
        },
        MisbehavingServer(
            "gzip that ends in the middle, with the right length", .error(["network", "retriesExhausted"])
        ) {
            _ in StubResponse.bytes(file).faulting(.truncatedGzip)
        },
        MisbehavingServer("a coding that nobody knows", .error(["network", "rejected"])) { _ in
            .tagged.header(.contentEncoding, "x-secret")
        },
    ]

    private static let broken: Ending = .error(["network", "retriesExhausted", "wrongLength"])

    /// Bodies that are longer or shorter than announced.
    static let lengths: [MisbehavingServer] = [
        MisbehavingServer("no length, chunks", .file) { _ in .tagged.chunked },
        MisbehavingServer("chunks that break off", .file, resumes: .needed) { visit in
            let answer = StubResponse.tagged.part(for: visit.request)
            return visit.isFirst ? answer.chunked.cut : answer.chunked
        },
        MisbehavingServer("every answer is too short", .file, resumes: .needed) { visit in
            StubResponse.tagged.part(for: visit.request).dropping(.afterBodyBytes(30_000))
        },
        MisbehavingServer("every answer for the rest is empty", broken, resumes: .needed) { visit in
            let answer = StubResponse.tagged.part(for: visit.request)
            return visit.isFirst ? answer.cut : answer.dropping(.afterHead)
        },
        MisbehavingServer("longer than its length", .file) { _ in
            // The following bytes aren't part of the response; the file ends according to its length.
            StubResponse.bytes(file + Bytes(repeatElement(7, count: 50))).header(.contentLength, "\(length)")
        },
        MisbehavingServer("206 longer than its Content-Range", .file, resumes: .needed) { visit in
            guard let start = visit.start else { return visit.isFirst ? .tagged.cut : .tagged }
            var answer = StubResponse.part(Int(start)..<length)
            answer.body = .bytes(file[Int(start)..<length] + Bytes(repeatElement(7, count: 50)))
            return answer.chunked
        },
        MisbehavingServer("206 shorter than its Content-Range", .file, resumes: .needed) { visit in
            guard let start = visit.start else { return visit.isFirst ? .tagged.cut : .tagged }
            let end = min(Int(start) + 25_000, length)
            return StubResponse.part(Int(start)..<end, says: "bytes \(start)-\(length - 1)/\(length)").chunked
        },
        MisbehavingServer("two lengths", broken) { _ in .tagged.faulting(.contentLength(.doubled)) },
        MisbehavingServer("a length that is no number", broken) { _ in .tagged.faulting(.contentLength(.malformed)) },
        MisbehavingServer("a chunk whose size is no number", broken) { _ in .untagged.faulting(.badChunk) },
        MisbehavingServer("an empty file", .error(["checksumMismatch"]), hasChecksum: true) { _ in .bytes([]) },
    ]
}
#endif

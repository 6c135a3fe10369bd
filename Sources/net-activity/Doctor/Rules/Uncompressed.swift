#if Tools
internal import NetCore
internal import NetStore

/// Large text responses without compression.
enum Uncompressed: DoctorRule {
    static let name = "uncompressed"
    /// The minimum size of a response that counts, in bytes.
    static let large: Int64 = 10_000
    /// The minimum total size of those responses, in bytes.
    static let leastBytes: Int64 = 50_000

    static func findings(in examination: Examination) -> [Finding] {
        let groups = examination.groups { call -> Endpoint? in
            guard call.responseBytes >= large, call.isOwn, !call.isFromCache, call.hasResponseHeaders,
                call.responseHeader(.contentEncoding) == nil, TextType.isText(call.item.responseType)
            else { return nil }
            return call.endpoint
        }
        return groups.compactMap { endpoint, calls in
            let bytes = calls.reduce(0) { $0 + $1.responseBytes }
            guard bytes >= leastBytes else { return nil }
            let isAsked = calls.contains { $0.requestHeader(.acceptEncoding)?.contains("gzip") == true }
            return Finding(
                name, .note, "\(endpoint.name) returns uncompressed text",
                """
                \(Figures.counted(calls.count, "response")) with \(TerminalText.bytes(bytes)) of \
                \(calls.last?.item.responseType ?? "text"); compressed, text takes a fifth of that or less.
                """,
                advice: isAsked
                    ? "Let the server, or the proxy in front of it, compress: the client asks for it."
                    : "Let the client ask for it (Accept-Encoding: gzip).",
                filter: endpoint.filter & .larger(than: large), calls: calls)
        }
    }
}
#endif

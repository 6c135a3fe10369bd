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
                call.responseHeader(.contentEncoding) == nil, TextType.isText(call.item.responseType),
                // Fewer bytes arrived than the body has.
                call.transferredBytes.map({ $0 <= 0 || $0 * 10 >= call.responseBytes * 9 }) ?? true
            else { return nil }
            return call.endpoint
        }
        return groups.compactMap { endpoint, calls in
            let bytes = calls.reduce(0) { $0 + $1.responseBytes }
            guard bytes >= leastBytes else { return nil }
            // A browser may hide its headers, and asks for it in any case.
            let isAsked = calls.contains {
                $0.requestHeader(.acceptEncoding)?.contains("gzip") == true || $0.isForeign || !$0.hasRequestHeaders
            }
            return Finding(
                name, .note, "\(endpoint.name) returns uncompressed text",
                """
                \(Figures.counted(calls.count, "response")) with \(TerminalText.bytes(bytes)) of \
                \(calls.last?.item.responseType ?? "text"); compressed, text takes a fifth of that or less.
                """,
                advice: isAsked
                    ? "Let the server, or the proxy in front of it, compress the responses."
                    : "Let the client ask for it (Accept-Encoding: gzip).",
                filter: endpoint.filter & .larger(than: large), calls: calls)
        }
    }
}
#endif

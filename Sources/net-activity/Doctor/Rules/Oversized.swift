#if Tools
internal import NetCore
internal import NetStore

/// Responses that are larger than anyone can read.
enum Oversized: DoctorRule {
    static let name = "oversized"
    /// The size of a text response, in bytes, from which it counts.
    static let large: Int64 = 1 << 20

    static func findings(in examination: Examination) -> [Finding] {
        let groups = examination.groups { call -> Endpoint? in
            guard call.responseBytes >= large, call.isOwn, TextType.isText(call.item.responseType) else { return nil }
            return call.endpoint
        }
        return groups.map { endpoint, calls in
            let sizes = calls.map(\.responseBytes)
            return Finding(
                name, .note, "\(endpoint.name) returns large responses",
                """
                \(Figures.counted(calls.count, "response")) with up to \(TerminalText.bytes(sizes.max() ?? 0)) of \
                \(calls.last?.item.responseType ?? "text").
                """,
                advice: "Request pages or fewer fields, or read it as a stream: lines, JSON Lines, events.",
                filter: endpoint.filter & .larger(than: large), calls: calls)
        }
    }
}
#endif

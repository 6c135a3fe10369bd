#if Tools
internal import NetCore
internal import NetStore

/// Calls that spend most of their time sending the request.
enum SlowUpload: DoctorRule {
    static let name = "slow-upload"

    static func findings(in examination: Examination) -> [Finding] {
        examination.endpoints.compactMap { endpoint, calls in
            guard let slowness = Slowness(calls, \.sending) else { return nil }
            let bytes = slowness.calls.reduce(0) { $0 + $1.requestBytes }
            let time = Figures.sum(slowness.calls.flatMap { $0.attempts.compactMap(\.phases.sending) }).inSeconds
            let rate = time > 0 ? Int64(Double(bytes) / time) : 0
            let size = bytes / Int64(max(1, slowness.calls.count))
            return Finding(
                name, .warning, "The requests to \(endpoint.name) are sent slowly",
                """
                \(slowness.median.short) in the median of \(Figures.counted(slowness.calls.count, "call")); \
                \(slowness.percent) % of that is sending \(TerminalText.bytes(size)) on average, at \
                \(TerminalText.bytes(rate)) a second.
                """,
                advice: "The server isn't the cause: send less or compressed data, or from a faster network.",
                filter: endpoint.filter & .slower(than: SlowServer.slow), calls: slowness.calls)
        }
    }
}
#endif

#if Tools
internal import NetCore
internal import NetStore

/// Calls that spend most of their time receiving the response.
enum SlowDownload: DoctorRule {
    static let name = "slow-download"

    static func findings(in examination: Examination) -> [Finding] {
        examination.endpoints.compactMap { endpoint, calls in
            guard let slowness = Slowness(calls, \.download) else { return nil }
            let bytes = slowness.calls.reduce(0) { $0 + $1.responseBytes }
            let time = Figures.sum(slowness.calls.flatMap { $0.attempts.compactMap(\.phases.download) }).inSeconds
            let rate = time > 0 ? Int64(Double(bytes) / time) : 0
            let size = bytes / Int64(max(1, slowness.calls.count))
            return Finding(
                name, .warning, "The responses of \(endpoint.name) arrive slowly",
                """
                \(slowness.median.short) in the median of \(Figures.counted(slowness.calls.count, "call")); \
                \(slowness.percent) % of that is the transfer of \(TerminalText.bytes(size)) on average, at \
                \(TerminalText.bytes(rate)) a second.
                """,
                advice:
                    "The server responds quickly: request less or compressed data, from a closer server, or in pages.",
                filter: endpoint.filter & .slower(than: SlowServer.slow), calls: slowness.calls)
        }
    }
}
#endif

#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Calls that run one after another without a pause, though they may not depend on each other.
enum OneAfterAnother: DoctorRule {
    static let name = "one-after-another"
    static let leastCalls = 5
    /// The maximum time from the end of one call to the start of the next, in seconds.
    static let longestGap = 0.02
    /// The minimum total time of a chain, in seconds.
    static let leastTime = 0.5

    private struct Line: Hashable {
        let host: String
        let run: Int64
    }

    static func findings(in examination: Examination) -> [Finding] {
        let groups = examination.groups { $0.isGet && $0.isOwn ? Line(host: $0.host, run: $0.item.run) : nil }
        return groups.compactMap { line, calls in
            guard let chain = longest(calls), let first = chain.first, let last = chain.last else { return nil }
            let end = chain.map(\.end).max() ?? last.end
            return Finding(
                name, .note, "Calls to \(line.host) run one after another",
                """
                \(Figures.counted(chain.count, "call")) from \(first.item.startedAt.table) on, each started when the \
                one before had ended: \(Figures.seconds(end - first.start)) in all, the longest of them \
                \(Figures.quantile(1, chain.map(\.duration)).short).
                """,
                advice: "If none depends on the result of another, run them at the same time, in a task group.",
                filter: .host(ActivityFilter.literal(line.host)) & .method("GET") & .since(first.item.startedAt)
                    & .until(last.item.startedAt.addingTimeInterval(0.001)),
                calls: chain)
        }
    }

    /// Returns the chain that takes longest; nil if there is none of sufficient length.
    private static func longest(_ calls: [ExaminedCall]) -> [ExaminedCall]? {
        var best: [ExaminedCall]?
        var chain: [ExaminedCall] = []
        func close() {
            guard let first = chain.first, let last = chain.last, chain.count >= leastCalls,
                last.end - first.start >= leastTime, Set(chain.map(\.url)).count >= leastCalls
            else { return }
            if last.end - first.start > best.map({ ($0.last?.end ?? 0) - ($0.first?.start ?? 0) }) ?? 0 { best = chain }
        }
        for call in calls {
            if let last = chain.last, call.start < last.end || call.start > last.end + longestGap {
                close()
                chain = []
            }
            chain.append(call)
        }
        close()
        return best
    }
}
#endif

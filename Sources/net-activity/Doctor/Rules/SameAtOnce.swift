#if Tools
internal import NetCore
internal import NetStore

/// Identical requests that are sent while the first is still under way.
enum SameAtOnce: DoctorRule {
    static let name = "same-at-once"
    static let leastCalls = 3

    static func findings(in examination: Examination) -> [Finding] {
        let groups = examination.groups { $0.isGet && $0.isOwn && !$0.isFromCache && $0.status != 206 ? $0.url : nil }
        return groups.compactMap { url, calls in
            var end = -Double.infinity
            var doubled: [ExaminedCall] = []
            for call in calls {
                if call.start < end { doubled.append(call) }
                end = max(end, call.end)
            }
            guard doubled.count >= leastCalls else { return nil }
            let bytes = doubled.reduce(0) { $0 + $1.responseBytes }
            return Finding(
                name, .note, "The same request runs several times concurrently",
                """
                GET \(url): \(Figures.grouped(doubled.count)) of \(Figures.counted(calls.count, "call")) began while another \
                was under way, and transferred \(TerminalText.bytes(bytes)) again.
                """,
                advice: "CoalescingMiddleware lets them share one call.",
                filter: .url(ActivityFilter.literal(url)), calls: doubled)
        }
    }
}
#endif

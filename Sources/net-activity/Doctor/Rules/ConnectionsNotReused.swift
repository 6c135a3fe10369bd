#if Tools
internal import NetCore
internal import NetStore

/// Calls that open a new connection each time, and the reason.
enum ConnectionsNotReused: DoctorRule {
    static let name = "connections-not-reused"
    static let leastAttempts = 10
    static let leastPercent = 50
    /// The pause between two calls, in seconds, after which servers and proxies usually have closed the connection.
    static let longPause = 30.0

    static func findings(in examination: Examination) -> [Finding] {
        examination.hosts.compactMap { host, calls in
            let attempts = calls.flatMap(\.attempts).filter { $0.isReused != nil }
            let fresh = attempts.filter { $0.isReused == false }
            guard attempts.count >= leastAttempts, fresh.count * 100 >= attempts.count * leastPercent else {
                return nil
            }
            let costs = fresh.map { ($0.phases.connect ?? .zero) + ($0.phases.secure ?? .zero) }
            let (why, advice) = cause(calls, fresh: fresh)
            return Finding(
                name, .warning, "Connections to \(host) aren't reused",
                """
                \(Figures.grouped(fresh.count)) of \(Figures.counted(attempts.count, "attempt")) connected anew, which took \
                \(Figures.quantile(0.5, costs).short) in the median and \(Figures.sum(costs).short) in all: \(why).
                """,
                advice: advice, filter: .host(ActivityFilter.literal(host)) & !.reused,
                calls: calls.filter { $0.item.isReused == false })
        }
    }

    private static func cause(_ calls: [ExaminedCall], fresh: [StoredAttempt]) -> (why: String, advice: String) {
        let isMost = { (count: Int, whole: Int) in count * 100 >= whole * 60 }
        let closing = calls.count {
            $0.responseHeader(.connection)?.lowercased().contains("close") == true
                || $0.attempts.last?.version == "1.0"
        }
        if isMost(closing, calls.count) {
            return (
                "the server closes each connection",
                "Let the server keep connections alive, and the proxy in front of it too."
            )
        }
        if isMost(fresh.count { $0.status == nil }, fresh.count) {
            return ("most of them failed, so there was nothing to reuse", "Find out why they fail.")
        }
        if isMost(Set(calls.map(\.item.run)).count, calls.count) {
            return (
                "the program was started anew for nearly every call",
                "Do more in one run, or send the calls from a long-running process."
            )
        }
        // Calls are sorted by start time. Over HTTP/1.1, overlapping calls need separate connections.
        var (overlapping, paused, end) = (0, 0, -Double.infinity)
        for call in calls {
            if call.start < end { overlapping += 1 } else if call.start - end >= longPause { paused += 1 }
            end = max(end, call.end)
        }
        if isMost(overlapping, calls.count), calls.last?.item.version != "2" {
            return (
                "many run at the same time, each on a connection of its own",
                "Use HTTP/2, which carries them on one connection, or limit how many run at the same time."
            )
        }
        if isMost(paused, calls.count - 1) {
            return (
                "more than \(Figures.seconds(longPause)) pass between them, and idle connections are closed",
                "Nothing is wrong if that is intended; otherwise send the calls in bursts."
            )
        }
        return (
            "nothing in the calls says why",
            "Share one HTTPClient: a client that is created for each call has no connection to reuse."
        )
    }
}
#endif

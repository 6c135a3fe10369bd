#if Tools
internal import NetCore
internal import NetStore

/// Calls over HTTP/1.1 that wait for a free connection.
enum QueuesOfHTTP1: DoctorRule {
    static let name = "http1-queues"
    static let leastCalls = 5
    static let long = Duration.milliseconds(50)

    static func findings(in examination: Examination) -> [Finding] {
        examination.hosts.compactMap { host, calls in
            let waiting = calls.filter { call in
                call.attempts.contains { $0.version == "1.1" && $0.phases.queued ?? .zero >= long }
            }
            guard waiting.count >= leastCalls else { return nil }
            let waits = waiting.flatMap { $0.attempts.compactMap(\.phases.queued) }
            return Finding(
                name, .warning, "Calls to \(host) wait in line",
                """
                \(Figures.grouped(waiting.count)) of \(Figures.counted(calls.count, "call")) over HTTP/1.1 waited \
                \(Figures.quantile(0.5, waits).short) in the median, \(Figures.sum(waits).short) in all, for a connection.
                """,
                advice: """
                    Over HTTP/2 they would share one connection. If the server doesn't support it: allow more \
                    connections to a host, or send fewer calls at the same time.
                    """,
                filter: .host(ActivityFilter.literal(host)) & .slower(than: long), calls: waiting)
        }
    }
}
#endif

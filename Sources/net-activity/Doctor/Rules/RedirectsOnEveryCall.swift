#if Tools
internal import NetCore
internal import NetStore

/// Calls that are redirected every time.
enum RedirectsOnEveryCall: DoctorRule {
    static let name = "redirects"
    static let leastCalls = 3
    static let leastPercent = 80

    static func findings(in examination: Examination) -> [Finding] {
        examination.endpoints.compactMap { endpoint, calls in
            let moved = calls.filter { call in call.attempts.contains(where: isRedirect) }
            guard moved.count >= leastCalls, moved.count * 100 >= calls.count * leastPercent else { return nil }
            let redirects = moved.flatMap { $0.attempts.filter(isRedirect) }
            let target = Figures.most(moved.compactMap(target))?.value
            return Finding(
                name, .warning, "\(endpoint.name) is redirected every time",
                """
                \(Figures.grouped(moved.count)) of \(Figures.counted(calls.count, "call"))\
                \(target.map { ", last to \($0)" } ?? ""); \
                \(Figures.sum(redirects.compactMap(\.duration)).short) were spent on it.
                """,
                advice: "Request the URL that it leads to.", filter: endpoint.filter, calls: moved)
        }
    }

    private static func isRedirect(_ attempt: StoredAttempt) -> Bool {
        [301, 302, 303, 307, 308].contains(attempt.status ?? 0)
    }

    /// Returns the target of the last redirect.
    private static func target(_ call: ExaminedCall) -> String? {
        guard let place = call.attempts.lastIndex(where: isRedirect) else { return nil }
        return call.attempts.dropFirst(place + 1).first?.url
    }
}
#endif

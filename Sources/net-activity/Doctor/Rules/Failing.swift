#if Tools
internal import NetRecord
internal import NetStore

/// Calls that fail often: no response, or one that the program can't use; and jobs that have failed. Timeouts and TLS
/// errors of calls have separate rules.
enum Failing: DoctorRule {
    static let name = "failing"
    static let leastCalls = 3
    static let leastPercent = 10

    static func findings(in examination: Examination) -> [Finding] {
        calls(in: examination) + FailingJobs.findings(in: examination)
    }

    private static func calls(in examination: Examination) -> [Finding] {
        examination.endpoints.compactMap { endpoint, calls in
            let bad = calls.filter { $0.isBad && $0.item.failure?.code != "timeout" && $0.item.failure?.code != "tls" }
            guard bad.count >= leastCalls, bad.count * 100 >= calls.count * leastPercent else { return nil }
            guard let most = Figures.most(bad.map(reason)) else { return nil }
            return Finding(
                name, .error, "\(endpoint.name) fails",
                """
                \(Figures.grouped(bad.count)) of \(Figures.counted(calls.count, "call")) failed \
                (\(Figures.share(bad.count, of: calls.count))), \(Figures.grouped(most.count)) of them with \(most.value).
                """,
                advice: advice(most.value), filter: endpoint.filter & (.failed | .status(400...599)), calls: bad)
        }
    }

    private static func reason(_ call: ExaminedCall) -> String {
        call.item.outcome == .rejected ? "status \(call.status)" : call.item.failure?.code ?? "no response"
    }

    private static func advice(_ reason: String) -> String {
        switch reason {
        case "status 401", "status 403": "Check the credential: whether it is sent, has expired, or is meant for this."
        case "status 404": "Check the URL that is requested; the server doesn't know it."
        case "status 429":
            "Send fewer calls: RateLimitMiddleware keeps to a rate, also to the one that a server announces."
        case "status 503": "The server is overloaded or down; RetryMiddleware respects its Retry-After."
        case "dns": "The host name can't be resolved: check its spelling, the name server, and whether a VPN is needed."
        case "connect": "Nothing listens there, or a firewall blocks it: try the address and port by hand."
        case "connectionLost":
            "The server, or something in between, closes connections early: check its limits and its log."
        case "blocked": "The browser, an extension or a content policy didn't allow the call: look at its console."
        case "offline": "The machine had no network, or changed it: record again while it is connected."
        case HARFailure.unrecorded:
            "The file doesn't contain why there was no response: look at the program that wrote it."
        case "decoding": "The response isn't what the type expects: compare the body with it."
        default: "Open one of the calls: net-activity show ID."
        }
    }
}
#endif

#if Tools
internal import NetCore
internal import NetStore

/// Finds problems in entries.
///
///     var doctor = Doctor()
///     for entry in entries { doctor.see(entry) }
///     for finding in doctor.findings(runs: runs) { print(finding.title, finding.text) }
struct Doctor {
    /// The maximum number of findings per rule, unless only one rule is requested.
    static let mostOfARule = 3

    static let rules: [any DoctorRule.Type] = [
        Failing.self, TimedOutCalls.self, TLSFailures.self, VainRetries.self, RetryStorms.self, FlappingSockets.self,
        LostEvents.self, SecretsInURLs.self, SlowNames.self, ConnectionsNotReused.self, QueuesOfHTTP1.self,
        SlowServer.self, SlowDownload.self, SlowUpload.self, RedirectsOnEveryCall.self, SameAtOnce.self,
        OneAfterAnother.self, CouldBeCached.self, Uncompressed.self, Oversized.self,
    ]

    private var calls: [ExaminedCall] = []
    private var sockets: [StoredItem] = []
    private var jobs: [StoredItem] = []

    init() {}

    /// The numbers of examined entries: of the calls and jobs that `stats` counts, and of WebSockets.
    var counts: (calls: Int, jobs: Int, sockets: Int) { (calls.count, jobs.count, sockets.count) }

    /// Adds an entry, in any order. Ignores calls and jobs that are under way or were cut off: as in statistics, only
    /// an end of their own counts.
    mutating func see(_ entry: ReportEntry) {
        let hasEnded = entry.item.outcome != nil && entry.item.outcome != .cutOff
        switch entry.item.kind {
        case .call where hasEnded: calls.append(ExaminedCall(entry))
        case .job where hasEnded: jobs.append(entry.item)
        case .socket: sockets.append(entry.item)
        default: break
        }
    }

    /// Returns the findings, worst first: all of a single requested rule, otherwise at most three per rule.
    func findings(runs: [StoredRun], rule: String? = nil) -> [Finding] {
        let examination = Examination(
            calls: calls.sorted { $0.start < $1.start }, sockets: sockets.sorted { $0.startedAt < $1.startedAt },
            jobs: jobs.sorted { $0.startedAt < $1.startedAt }, runs: runs)
        let found = Self.rules.filter { rule == nil || $0.name == rule }.flatMap { one in
            let findings = one.findings(in: examination).sorted { $0.count > $1.count }
            return rule == nil ? Self.shortened(findings) : findings
        }
        // The rules are listed in order of importance.
        return found.worstFirst
    }

    private static func shortened(_ findings: [Finding]) -> [Finding] {
        var kept = Array(findings.prefix(mostOfARule))
        let rest = findings.count - kept.count
        if rest > 0, let last = kept.indices.last {
            kept[last].text += " \(rest) more like this: net-activity doctor --rule \(kept[last].rule)."
        }
        return kept
    }
}
#endif

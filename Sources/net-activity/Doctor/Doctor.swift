#if Tools
internal import NetCore
internal import NetStore

/// Looks for what is wrong in entries.
///
///     var doctor = Doctor()
///     for entry in entries { doctor.see(entry) }
///     for finding in doctor.findings(runs: runs) { print(finding.title, finding.text) }
struct Doctor {
    /// The most findings of one rule, unless that rule alone is asked.
    static let mostOfARule = 3

    static let rules: [any DoctorRule.Type] = [
        Failing.self, TimeOuts.self, TLSFailures.self, VainRetries.self, RetryStorms.self, FlappingSockets.self,
        LostEvents.self, SecretsInURLs.self, SlowNames.self, ConnectionsNotReused.self, QueuesOfHTTP1.self,
        SlowServer.self, SlowDownload.self, RedirectsOnEveryCall.self, SameAtOnce.self, OneAfterAnother.self,
        CouldBeCached.self, Uncompressed.self, Oversized.self,
    ]

    private var calls: [ExaminedCall] = []
    private var sockets: [StoredItem] = []

    init() {}

    var count: Int { calls.count + sockets.count }

    /// Takes an entry, in any order. What is under way tells nothing yet.
    mutating func see(_ entry: ReportEntry) {
        switch entry.item.kind {
        case .call where entry.item.outcome != nil: calls.append(ExaminedCall(entry))
        case .socket: sockets.append(entry.item)
        default: break
        }
    }

    /// What is wrong, the worst first; of one rule all, of every rule three at most.
    func findings(runs: [StoredRun], rule: String? = nil) -> [Finding] {
        let examination = Examination(
            calls: calls.sorted { $0.start < $1.start }, sockets: sockets.sorted { $0.startedAt < $1.startedAt },
            runs: runs)
        let found = Self.rules.filter { rule == nil || $0.name == rule }.flatMap { one in
            let findings = one.findings(in: examination).sorted { $0.count > $1.count }
            return rule == nil ? Self.shortened(findings) : findings
        }
        // The rules stand in the order of their weight.
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

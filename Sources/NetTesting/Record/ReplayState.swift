internal import NetCore
internal import NetRecord

/// Tracks which recorded exchanges have been used, and selects the next one.
struct ReplayState {
    /// The state of replacing the recording because of its age.
    enum Renewal: Sendable, Hashable {
        case none
        case running
        /// The recording stays unchanged, for this reason.
        case abandoned(String)
    }

    let file: String
    let cassette: Cassette
    var renewal: Renewal
    /// The recorded requests, redacted again: the policy may have been extended since, and HAR files aren't redacted.
    private var requests: [CapturedExchange.Request]
    /// The policy of ``requests``: that of the recording, joined with that of the last live request, whose credential may
    /// be in a place that only this request names.
    private var policy: RedactionPolicy
    private var isUsed: [Bool]

    init(file: String, cassette: Cassette, redaction: RedactionPolicy, renewal: Renewal = .none) {
        self.file = file
        self.cassette = cassette
        self.renewal = renewal
        policy = redaction
        requests = cassette.exchanges.map { redaction.redact($0.request) }
        isUsed = Array(repeating: false, count: cassette.exchanges.count)
    }

    /// Makes every exchange available again.
    mutating func reset() {
        for index in isUsed.indices { isUsed[index] = false }
    }

    /// Takes the exchange that matches a redacted request; nil if there is none.
    ///
    /// - Parameter policy: The policy that the live request was redacted with.
    mutating func take(
        _ live: CapturedExchange.Request, by policy: RedactionPolicy, rules: ReplayRules
    ) -> CapturedExchange? {
        if policy != self.policy {
            self.policy = policy
            requests = cassette.exchanges.map { policy.redact($0.request) }
        }
        let comparison = ReplayComparison(rules: rules)
        let candidates = isUsed.indices.filter { !isUsed[$0] }
        for index in rules.isSequential ? Array(candidates.prefix(1)) : candidates
        where comparison.matches(recorded: requests[index], live: live) {
            isUsed[index] = true
            return cassette.exchanges[index]
        }
        return nil
    }

    /// The unused exchanges, with their places in the file.
    var unused: [String] {
        isUsed.indices.filter { !isUsed[$0] }.map(name)
    }

    /// Explains why no exchange matches; `lock` is the reason why the environment forbids recording.
    func miss(_ live: CapturedExchange.Request, rules: ReplayRules, lock: String?) -> String {
        let start = "no recorded exchange matches \(live.method.rawValue) \(live.url): "
        let end =
            "; record it with the mode .newEpisodes or .all, or relax the rules"
            + (lock.map { " (nothing is recorded here: \($0))" } ?? "") + skipped
        if requests.isEmpty { return start + "\(file) has none" + end }
        let comparison = ReplayComparison(rules: rules)
        let next = isUsed.firstIndex(of: false)
        if rules.isSequential, let next {
            let found = comparison.differences(recorded: requests[next], live: live).joined(separator: "; ")
            return start + "the next in order is \(name(next)): \(found)" + end
        }
        let ranked = requests.indices.map { ($0, comparison.differences(recorded: requests[$0], live: live)) }
        let nearest = ranked.min { left, right in
            (left.1.count, likeness(right.0, live), left.0) < (right.1.count, likeness(left.0, live), right.0)
        }
        guard let nearest else { return start + end }
        var found = nearest.1
        if isUsed[nearest.0] { found.append("it has already been replayed") }
        return start + "the nearest is \(name(nearest.0)): \(found.joined(separator: "; "))" + end
    }

    /// The entries of a HAR file that weren't read: one of them may be the request's.
    private var skipped: String {
        let remarks = cassette.remarks.kept.filter { $0.kind == .skippedEntry }
        guard !remarks.isEmpty else { return "" }
        let places = remarks.prefix(3).map { "\($0.place) at line \($0.line), \($0.reason)" }.joined(separator: "; ")
        let count = cassette.remarks.count(.skippedEntry)
        return "; \(count) \(count == 1 ? "entry was" : "entries were") skipped: \(places)"
    }

    /// The length of the common prefix of the two URLs.
    private func likeness(_ index: Int, _ live: CapturedExchange.Request) -> Int {
        zip(requests[index].url.utf8, live.url.utf8).prefix { $0 == $1 }.count
    }

    private func name(_ index: Int) -> String {
        let line = index < cassette.lines.count ? ":\(cassette.lines[index])" : ""
        return "exchange \(index + 1) at \(file)\(line), \(requests[index].method.rawValue) \(requests[index].url)"
    }
}

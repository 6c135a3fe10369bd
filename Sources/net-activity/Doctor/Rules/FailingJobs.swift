#if Tools
internal import NetCore
internal import NetStore

/// Downloads, uploads and outbox items that have failed: a part of the rule `failing`. A single one counts, because a
/// job fails only after its retries.
enum FailingJobs {
    private struct Place: Hashable {
        let kind, host: String

        init(_ job: StoredItem) {
            kind = String((job.detail ?? "").prefix { $0 != "," })
            host = job.host ?? ""
        }

        /// The jobs in words: `Downloads from files.example.com`.
        var name: String {
            let (plural, preposition) =
                switch kind {
                case JobActivity.Kind.download.rawValue: ("Downloads", "from")
                case JobActivity.Kind.upload.rawValue: ("Uploads", "to")
                case JobActivity.Kind.outbox.rawValue: ("Outbox items", "for")
                default: ("Jobs", "with")
                }
            return host.isEmpty ? plural : "\(plural) \(preposition) \(host)"
        }
    }

    static func findings(in examination: Examination) -> [Finding] {
        let jobs = Dictionary(grouping: examination.jobs) { Place($0) }
        return jobs.sorted { ($0.key.host, $0.key.kind) < ($1.key.host, $1.key.kind) }.compactMap { place, jobs in
            let bad = jobs.filter { $0.outcome == .failed || $0.outcome == .rejected }
            let codes = bad.map { $0.failure?.code ?? "failed" }
            guard let most = Figures.most(codes) else { return nil }
            var finding = Finding(
                Failing.name, .error, "\(place.name) fail",
                """
                \(Figures.grouped(bad.count)) of \(Figures.counted(jobs.count, "job")) failed \
                (\(Figures.share(bad.count, of: jobs.count))), \(Figures.grouped(most.count)) of them with \(most.value).
                """,
                advice: advice(most.value), filter: filter(place, Set(bad.compactMap { $0.failure?.code })), calls: [])
            (finding.count, finding.examples) = (bad.count, bad.prefix(3).map(\.uid))
            return finding
        }
    }

    /// Returns a filter for jobs with these codes; without codes, for all that ended badly.
    private static func filter(_ place: Place, _ codes: Set<String>) -> ActivityFilter {
        let jobs: ActivityFilter =
            place.host.isEmpty ? .job : .job & .host(ActivityFilter.literal(place.host))
        guard let first = codes.min() else { return jobs & .failed }
        return jobs
            & codes.sorted().dropFirst().reduce(.error(ActivityFilter.literal(first))) {
                $0 | .error(ActivityFilter.literal($1))
            }
    }

    private static func advice(_ code: String) -> String {
        switch code {
        case "rejected", "refused":
            "The server doesn't accept the request: check the URL, the credential and the body; a link may have expired."
        case "retriesExhausted", "exhausted":
            "Every attempt failed: check the server, then retry; or allow more attempts in the RetryPolicy."
        case "checksumMismatch", "wrongLength":
            "The file isn't the expected one: check the checksum, and what a proxy or the server changes on the way."
        case "changed": "The file kept changing on the server: load it when it is complete."
        case "insufficientDiskSpace": "Free some space, then resume."
        case "fileSystem", "fileExists", "folderInUse":
            "Check the folder: whether it is writable, the name is taken, or another program uses it."
        case "authentication": "Log in again: the credential can't be renewed, or belongs to another user."
        case "expired": "No sender ran in time, or the server wasn't reachable: allow more time, then retry."
        default: "Open one of the jobs: net-activity show ID."
        }
    }
}
#endif

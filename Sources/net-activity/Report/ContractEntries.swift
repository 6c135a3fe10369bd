#if Tools
internal import NetCore
internal import NetRecord
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The report of a contract as entries: each matching request, and each violation, which is also a finding.
struct ContractEntries {
    private let document: JSONNode

    init(path: String) throws(RecordFileError) {
        document = try RecordFile(path).read(advice: "write the contract's report again").node
    }

    /// The entries in chronological order.
    var entries: [ReportEntry] {
        let matches = (document["matches"]?.array ?? []).enumerated().map { entry($1, $0) }
        let violations = (document["violations"]?.array ?? []).enumerated().map { entry($1, matches.count + $0) }
        return (matches + violations).sorted { $0.item.startedAt < $1.item.startedAt }
    }

    var findings: [Finding] {
        (document["violations"]?.array ?? []).map { violation in
            let expectation = violation["expectation"]?.string
            let kind = violation["kind"]?.string ?? "violation"
            let name = expectation.map { " ~op \(ActivityFilter.quoted($0))" } ?? ""
            return Finding(
                rule: "contract", severity: .error,
                title: [expectation, kind].compactMap { $0 }.joined(separator: ": "),
                text: Self.differences(violation).prefix(3).joined(separator: "; "), advice: "",
                filter: "~error \(kind)\(name)")
        }
    }

    /// The number of requests that the contract's report has dropped.
    var forgotten: Int { Int(document["forgotten"]?.number ?? 0) }

    private func entry(_ node: JSONNode, _ index: Int) -> ReportEntry {
        let date =
            node["at"]?.string.flatMap { RFC3339.date(from: $0) }
            ?? document["startedAt"]?.string.flatMap { RFC3339.date(from: $0) } ?? Date(timeIntervalSince1970: 0)
        let id = CallID(
            milliseconds: UInt64(max(0, date.timeIntervalSince1970 * 1000)),
            random: NetRandom { UInt64(truncatingIfNeeded: index + 1) &* 0x9e37_79b9_7f4a_7c15 })
        var item = StoredItem(id: 0, uid: id, kind: .call, startedAt: date)
        let request = node["request"]?.string ?? ""
        let words = request.split(separator: " ", maxSplits: 1).map(String.init)
        if words.count == 2 { (item.method, item.url) = (words[0], words[1]) }
        item.operation = node["expectation"]?.string
        item.outcome = .completed
        guard let kind = node["kind"]?.string else { return ReportEntry(item) }
        item.outcome = .failed
        item.failure = StoredFailure(
            code: kind, phase: "comparing", message: Self.differences(node).joined(separator: "\n"))
        return ReportEntry(item)
    }

    private static func differences(_ violation: JSONNode) -> [String] {
        (violation["differences"]?.array ?? []).map { difference in
            let (expected, actual) = (difference["expected"]?.string ?? "", difference["actual"]?.string ?? "")
            return "\(difference["field"]?.string ?? ""): expected \(expected), actual \(actual)"
        }
    }
}
#endif

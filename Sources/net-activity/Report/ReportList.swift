#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The list of a report: entries as columns, and data about all of them.
struct ReportList {
    /// The subject of the report: the name of a file.
    let title: String
    /// The time when the data were read; the page computes `~since 15m` relative to it.
    let now: Date
    /// The programs that ran.
    var runs: [StoredRun] = []
    /// The problems found, worst first; the page shows five.
    var findings: [Finding] = []
    /// The filter that selected the entries; nil for all.
    var filter: String?
    /// The number of older entries that were omitted.
    var omitted = 0
    /// The numbers of hidden values, of cut bodies and messages, and of calls without captured content.
    var hidden = 0
    var cut = 0
    /// The number of bodies that the report has no room for.
    var omittedBodies = 0
    var uncaptured = 0

    private var columns = ReportColumns()

    init(title: String, now: Date) {
        self.title = title
        self.now = now
    }

    var count: Int { columns.count }

    /// Adds an entry. Entries must be added newest first.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - part: The part that contains its captured content; nil if it has none.
    ///   - number: The entry's number in that part; nil if that is its position in the list.
    mutating func add(_ entry: ReportEntry, part: Int64?, number: Int64? = nil) {
        columns.add(entry, part: part, number: number)
    }

    /// Returns the list as JSON for the page.
    func json() -> [UInt8] {
        var output = JSONOutput()
        output.raw("{")
        output.member("version", isFirst: true) { $0.number(1) }
        output.member("title") { $0.string(title) }
        output.member("now") { $0.number(now.microseconds) }
        output.member("count") { $0.number(columns.count) }
        output.member("omitted") { $0.number(omitted) }
        output.member("filter") { $0.string(filter) }
        output.member("hidden") { $0.number(hidden) }
        output.member("cut") { $0.number(cut) }
        output.member("omittedBodies") { $0.number(omittedBodies) }
        output.member("uncaptured") { $0.number(uncaptured) }
        output.member("runs") { output in output.array(runs) { Self.write($1, to: &$0) } }
        output.member("findings") { output in output.array(findings) { Self.write($1, to: &$0) } }
        output.member("strings") { output in output.array(columns.texts.all) { $0.string($1) } }
        output.member("uids") { output in output.array(columns.ids) { $0.string($1) } }
        output.member("columns") { output in
            output.raw("{")
            // Columns without any values are omitted.
            let known = columns.columns.filter { column in column.values.contains { $0 != nil } }
            for (index, column) in known.enumerated() {
                output.member(column.name, isFirst: index == 0) { output in
                    output.array(column.values) { $0.number($1) }
                }
            }
            output.raw("}")
        }
        output.member("attempts") { output in
            output.array(columns.attempts) { output, row in output.array(row) { $0.number($1) } }
        }
        output.raw("}")
        return output.bytes
    }

    private static func write(_ run: StoredRun, to output: inout JSONOutput) {
        output.raw("{")
        output.member("id", isFirst: true) { $0.number(run.id) }
        output.member("process") { $0.string(run.process) }
        output.member("version") { $0.string(run.version) }
        output.member("pid") { $0.number(run.processID) }
        output.member("start") { $0.number(run.startedAt.microseconds) }
        output.member("end") { $0.number(run.endedAt?.microseconds) }
        output.member("state") { $0.string(text(of: run.state)) }
        output.member("dropped") { $0.number(run.statistics.dropped.total) }
        output.member("failed") { $0.number(run.statistics.failed) }
        output.raw("}")
    }

    private static func text(of state: StoredRun.State) -> String {
        switch state {
        case .running: "still running"
        case .ended: "ended"
        case .cutOff: "cut off"
        case .unknown: "elsewhere"
        }
    }

    private static func write(_ finding: Finding, to output: inout JSONOutput) {
        output.raw("{")
        output.member("severity", isFirst: true) { $0.string(finding.severity.rawValue) }
        output.member("title") { $0.string(finding.title) }
        output.member("text") {
            $0.string([finding.text, finding.advice].filter { !$0.isEmpty }.joined(separator: " "))
        }
        output.member("filter") { $0.string(finding.filter) }
        output.raw("}")
    }
}
#endif

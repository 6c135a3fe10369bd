#if Tools
internal import NetCore
internal import NetStore

/// Entries that the store itself has lost.
enum LostEvents: DoctorRule {
    static let name = "lost-events"

    static func findings(in examination: Examination) -> [Finding] {
        let runs = examination.runs.filter { $0.statistics.dropped.total > 0 || $0.statistics.failed > 0 }
        guard !runs.isEmpty else { return [] }
        let dropped = runs.reduce(0) { $0 + $1.statistics.dropped.total }
        let failed = runs.reduce(0) { $0 + $1.statistics.failed }
        let filter = runs.dropFirst().reduce(ActivityFilter.run(runs[0].id)) { $0 | .run($1.id) }
        return [
            Finding(
                rule: name, severity: .warning, title: "The store lost events",
                text: """
                    \(Figures.grouped(dropped)) were dropped because its queue was full, \(Figures.grouped(failed)) \
                    couldn't be stored, in \(Figures.counted(runs.count, "run")): this report may be incomplete.
                    """,
                advice: """
                    Allow a longer queue (Configuration.capacity), capture fewer bodies, or keep the file on a faster disk; \
                    what couldn't be stored is in the program's log.
                    """,
                filter: filter.description, count: dropped + failed)
        ]
    }
}
#endif

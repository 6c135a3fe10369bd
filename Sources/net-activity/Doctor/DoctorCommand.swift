#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Explain what is wrong, with figures, the calls, and what to do.",
        discussion: """
            Works on a store, a HAR file (.har) or a cassette. docs/doctor.md lists the rules and their thresholds. \
            Without captured headers, it can't tell why a response isn't cached or compressed.
            """)

    @OptionGroup var store: StoreArguments
    @Argument(help: .fileAndFilter, completion: .fileAndFilter) var words: [String] = []
    @Option(help: "The maximum number of entries, the newest.") var limit = 10_000
    @Option(
        help: ArgumentHelp("Apply only this rule, and show all of its findings.", valueName: "name"),
        completion: .list(Doctor.rules.map { $0.name }))
    var rule: String?
    @Flag(help: "Print one JSON object per line.") var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
        let names = Doctor.rules.map { $0.name }
        if let rule, !names.contains(rule) {
            throw ValidationError("There is no rule \"\(rule)\". The rules are: \(names.joined(separator: ", ")).")
        }
    }

    func run() async throws {
        store.page()
        let (file, rest) = try store.split(words)
        let filter = try ActivityFilter(words: rest)
        var doctor = Doctor()
        var runs: [StoredRun] = []
        switch try InputFile(of: file) {
        case .store:
            (doctor, runs) = try await StoreArguments.read(file) { reader in
                try await DoctorReading(reader: reader, filter: filter, limit: limit).read()
            }
        case .contract: throw InputFile.contractFailure(file)
        case let kind:
            let recorded = try RecordedEntries(path: file, kind)
            RemarksText(recorded.remarks).show()
            let found = recorded.entries.reversed()
                .filter { filter.matches($0.item, content: $0.content, now: NetClock.system.date()) }
            for entry in found.prefix(limit) { doctor.see(entry) }
        }
        let findings = doctor.findings(runs: runs, rule: rule)
        if json {
            for finding in findings { print(try FindingLine(finding).json()) }
        } else {
            let isDefault = try file == ActivityStore.defaultPath(makesFolder: false)
            FindingText(
                findings: findings, counts: doctor.counts, file: isDefault ? "" : Output.shellWord(file) + " "
            ).show()
        }
        if findings.isEmpty { throw ExitCode.nothing }
    }
}
#endif

#if Tools && Server
internal import ArgumentParser

/// `net-lab run`: runs scenarios, reads their traces back from the store, and judges both.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run scenarios; exit code 0 when every one passed and the store holds every call."
    )

    @Flag(help: "Run every scenario.")
    var all = false

    @Option(help: "Keep the activity in this SQLite file, which is replaced; a temporary one unless set.")
    var store: String?

    @Option(help: "The seed of every random number: jitter, ids, data.")
    var seed: UInt64 = 1

    @Argument(help: "The scenarios to run; net-lab list names them.")
    var names: [String] = []

    func validate() throws {
        guard all != !names.isEmpty else {
            throw ValidationError("name the scenarios to run, or give --all; net-lab list names them")
        }
        let known = Catalogue.groups.flatMap(\.scenarios).map(\.name)
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw ValidationError("there is no scenario \"\(unknown)\"; net-lab list names them")
        }
    }

    func run() async throws {
        let file = try LabStore(path: store)
        let lab = try await Lab.open(storePath: file.path, seed: seed)
        let isProven: Bool
        do {
            let (passed, total) = await Runner(lab: lab, wanted: all ? nil : Set(names)).run()
            let agrees = try await Report(lab: lab).print()
            isProven = passed == total && agrees
            Terminal.print("")
            let verdict = isProven ? Terminal.green("proven") : Terminal.red("NOT PROVEN")
            Terminal.print("\(verdict): \(passed) of \(total) scenarios passed with \(lab.tally.total) calls")
        } catch {
            await lab.close()
            throw error
        }
        await lab.close()
        if !isProven { throw ExitCode.failure }
    }
}
#endif

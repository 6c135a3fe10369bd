#if Tools && Server
internal import ArgumentParser

/// `net-lab run`: runs scenarios, reads their traces back from the store, and checks both.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run scenarios; exit code 0 when every one passed and the store holds every call."
    )

    @Flag(help: "Run every scenario of the mode.")
    var all = false

    @Option(
        help: "live runs against a server on this machine; mock runs in memory, except scenarios that need a network.")
    var mode = LabMode.live

    @Option(help: "Keep the activity in this SQLite file, which is replaced; a temporary one by default.")
    var store: String?

    @Option(help: "The seed of every random number: jitter, ids, data.")
    var seed: UInt64 = 1

    @Argument(help: "The scenarios to run; net-lab list names them.")
    var names: [String] = []

    func validate() throws {
        guard all != !names.isEmpty else {
            throw ValidationError("name the scenarios to run, or give --all; net-lab list names them")
        }
        let scenarios = Catalogue.groups.flatMap(\.scenarios)
        for name in names {
            guard let scenario = scenarios.first(where: { $0.name == name }) else {
                throw ValidationError("there is no scenario \"\(name)\"; net-lab list names them")
            }
            guard scenario.modes.contains(mode) else {
                throw ValidationError("\"\(name)\" needs a network; run it with --mode live")
            }
        }
    }

    func run() async throws {
        try await run(LabWorld())
    }

    /// Runs the scenarios with the given world.
    func run(_ world: LabWorld) async throws {
        let run = LabRun(
            mode: mode, wanted: all ? nil : Set(names), storePath: try LabStore(path: store).path, seed: seed,
            world: world)
        if !(try await run.run()) { throw ExitCode.failure }
    }
}
#endif

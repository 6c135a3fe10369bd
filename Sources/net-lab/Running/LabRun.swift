#if Tools && Server
internal import NetTesting

/// One run: its scenarios one after another, then the contents of the store.
struct LabRun {
    var mode = LabMode.live
    /// The scenarios to run; nil for all of the mode.
    var wanted: Set<String>?
    /// The file in which the activity is stored.
    var storePath: String
    /// The seed of every random number.
    var seed: UInt64 = 1
    var world = LabWorld()

    /// Prints everything. Returns true if each scenario passed and the store contains each call.
    func run() async throws -> Bool {
        let lab = try await Lab.open(mode, storePath: storePath, seed: seed, world: world)
        let result: Result<Bool, any Error>
        do { result = .success(try await run(in: lab)) } catch { result = .failure(error) }
        await lab.close()
        return try result.get()
    }

    private func run(in lab: Lab) async throws -> Bool {
        let result = await Runner(lab: lab, wanted: wanted).run()
        let agrees = try await Report(lab: lab).print()
        let isProven = result.passed == result.total && agrees
        Terminal.print("")
        if result.withoutWire > 0 { Terminal.print("\(result.withoutWire) need a network; --mode live runs them") }
        let verdict = isProven ? Terminal.green("proven") : Terminal.red("NOT PROVEN")
        Terminal.print(
            "\(verdict): \(result.passed) of \(result.total) scenarios passed with \(lab.tally.total) calls, "
                + "\(mode == .live ? "over a wire" : "in memory")")
        return isProven
    }
}
#endif

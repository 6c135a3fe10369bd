#if Tools && Server
/// Runs scenarios one after another and prints a line for each.
struct Runner {
    let lab: Lab
    /// Which to run; nil for all.
    let wanted: Set<String>?

    /// Whether all passed.
    func run() async -> Bool {
        var passed = 0
        var total = 0
        for group in Catalogue.groups {
            let scenarios = group.scenarios.filter { wanted?.contains($0.name) ?? true }
            if scenarios.isEmpty { continue }
            Terminal.print("")
            Terminal.print(Terminal.bold(group.title))
            for scenario in scenarios {
                total += 1
                if await run(scenario) { passed += 1 }
            }
        }
        Terminal.print("")
        Terminal.print("\(passed) of \(total) scenarios passed, \(lab.tally.total) calls")
        return passed == total && total > 0
    }

    private func run(_ scenario: Scenario) async -> Bool {
        Terminal.progress("run   \(scenario.name) …")
        var got: String
        do {
            got = try await scenario.run(lab)
        } catch {
            got = "threw \(error)"
        }
        let isPass = got == scenario.expected
        let mark = isPass ? Terminal.green("pass") : Terminal.red("FAIL")
        let start = "\(mark)  \(Text.pad(scenario.name, to: 20))"
        if isPass {
            Terminal.print("\(start) \(Text.cut("\(scenario.expected) / \(got)", to: 72))")
        } else {
            Terminal.print("\(start) \(Text.cut(scenario.summary, to: 72))")
            for line in Text.wrap("expected: \(scenario.expected)", to: 90) { Terminal.print("        \(line)") }
            for line in Text.wrap("got:      \(got)", to: 90) { Terminal.print("        \(line)") }
        }
        return isPass
    }
}
#endif

#if Tools && Server
internal import NetHTTP
internal import NetTestServer

/// Runs scenarios one after another and prints a line for each.
struct Runner {
    let lab: Lab
    /// Which to run; nil for all.
    let wanted: Set<String>?

    /// How many passed, of how many.
    func run() async -> (passed: Int, total: Int) {
        var (passed, total) = (0, 0)
        Terminal.print(Terminal.bold("Harbour Books at \(lab.server.baseURL), \(Self.libcurl)"))
        Terminal.print("Each scenario says beforehand what must come of it; pass means that exactly this came.")
        Terminal.print("      \(Text.pad("scenario", to: 20)) expected = got")
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
        return (passed, total)
    }

    /// The version of the library that carries all of it.
    private static var libcurl: String {
        #if os(Linux)
        Text.cut(CurlTransport.features.library, to: 30)
        #else
        "not used"
        #endif
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
            Terminal.print("\(start) \(Text.cut(got, to: 72))")
        } else {
            Terminal.print("\(start) \(Text.cut(scenario.summary, to: 72))")
            for line in Text.wrap("expected: \(scenario.expected)", to: 90) { Terminal.print("        \(line)") }
            for line in Text.wrap("got:      \(got)", to: 90) { Terminal.print("        \(line)") }
        }
        return isPass
    }
}
#endif

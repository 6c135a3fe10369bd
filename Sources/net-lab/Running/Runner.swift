#if Tools && Server
internal import NetHTTP
internal import NetTestServer

/// Runs scenarios one after another and prints a line for each.
struct Runner {
    /// The numbers of scenarios that passed, ran, and were skipped.
    struct Result {
        var passed = 0
        var total = 0
        /// The number of requested scenarios that were skipped because they need a server.
        var withoutWire = 0
    }

    let lab: Lab
    /// The scenarios to run; nil for all.
    let wanted: Set<String>?

    func run() async -> Result {
        var result = Result()
        Terminal.print(Terminal.bold(place))
        Terminal.print("Each scenario states its expected result in advance; pass means exactly that result.")
        Terminal.print("      \(Text.pad("scenario", to: 20)) expected = got")
        for group in Catalogue.groups {
            let asked = group.scenarios.filter { wanted?.contains($0.name) ?? true }
            let scenarios = asked.filter { $0.modes.contains(lab.peer.mode) }
            result.withoutWire += asked.count - scenarios.count
            if scenarios.isEmpty { continue }
            Terminal.print("")
            Terminal.print(Terminal.bold(group.title))
            for scenario in scenarios {
                result.total += 1
                if await run(scenario) { result.passed += 1 }
            }
        }
        return result
    }

    /// The location of the shop, and the transport of the calls.
    private var place: String {
        switch lab.peer.mode {
        case .live: "Harbour Books at \(lab.peer.baseURL), \(Self.libcurl)"
        case .mock: "Harbour Books in memory, no socket is opened"
        }
    }

    /// The version of libcurl.
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
            got = try await Overdue.after(.seconds(60)) { [lab] in try await scenario.run(lab) }
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

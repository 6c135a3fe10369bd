#if Tools && Server
internal import ArgumentParser

/// `net-lab list`: lists the scenarios, one per line.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the scenarios, and the modes that each one supports.")

    func run() {
        for group in Catalogue.groups {
            Terminal.print(group.title)
            for scenario in group.scenarios {
                let modes = scenario.modes.map(\.rawValue).joined(separator: " ")
                Terminal.print(
                    "  " + Text.pad(scenario.name, to: 22) + Text.pad(modes, to: 11)
                        + Text.cut(scenario.summary, to: 72))
            }
        }
    }
}
#endif

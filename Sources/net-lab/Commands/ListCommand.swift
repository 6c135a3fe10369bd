#if Tools && Server
internal import ArgumentParser

/// `net-lab list`: the scenarios, one a line.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Name the scenarios.")

    func run() {
        for group in Catalogue.groups {
            print(group.title)
            for scenario in group.scenarios {
                print("  " + Text.pad(scenario.name, to: 24) + Text.cut(scenario.summary, to: 72))
            }
        }
    }
}
#endif

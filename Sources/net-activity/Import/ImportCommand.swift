#if Tools
internal import ArgumentParser

/// Imports recordings of other programs into a store.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add recordings of another program to a store.",
        subcommands: [ImportHAR.self])
}
#endif

#if Tools
internal import ArgumentParser

/// Imports recordings of other programs.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read recordings of another program.",
        subcommands: [ImportHAR.self, ImportCassette.self])
}
#endif

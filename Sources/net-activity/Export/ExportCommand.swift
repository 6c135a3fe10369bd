#if Tools
internal import ArgumentParser

/// Exports entries of a store: for a colleague, a collector, a test.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write entries to a file to share, or send them to a collector.",
        subcommands: [
            ExportHAR.self, ExportStore.self, ExportOTLP.self, ExportCassette.self, ExportContract.self,
            ExportTest.self,
            ExportBundle.self,
        ])
}
#endif

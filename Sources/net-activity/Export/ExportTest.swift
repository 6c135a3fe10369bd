#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetCore
internal import NetStore

/// `net-activity export test`.
struct ExportTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Write calls as Swift tests with cassettes.",
        discussion: """
            Each call becomes a test that repeats it without a network, with its redirects and its retries, whose \
            pauses take no time. Equal calls become one test. Without --package, the folder belongs to a test target that depends on NetHTTP, \
            NetTesting and NetTestTraits, and excludes Cassettes.
            """)

    @OptionGroup var store: StoreArguments
    @OptionGroup var chosen: ChosenArguments
    @Option(name: .shortAndLong, help: "The folder to write to.", completion: .directory) var output: String
    @Option(help: "The name of the suite.") var name = "RecordedCalls"
    @Option(
        help: "Write a complete package that uses swift-net from this folder or URL; `swift test` runs it.",
        completion: .directory)
    var package: String?
    @Flag(help: "Replace existing files.") var force = false

    func run() async throws {
        let calls = try await chosen.calls(store)
        let tests = try TestFile(calls, name: name)
        let folder = try package.map { try TestPackage(dependency: $0).write(to: output) } ?? output
        for file in try tests.write(to: folder, replaces: force) { print(TerminalText.clean(file)) }
        guard tests.repeated > 0 else { return }
        let repeated = Figures.counted(tests.repeated, "call")
        FileHandle.standardError.write(Data("Note: \(repeated) equal to an earlier one: one test covers them\n".utf8))
    }
}
#endif

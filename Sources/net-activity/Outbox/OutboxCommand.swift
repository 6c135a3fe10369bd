#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

/// Shows and changes the items of an outbox file.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "List, show, retry and drop the requests of an outbox.",
        discussion: """
            The program that sends may keep running; it notices changes. The file is never created. Request bodies are \
            never shown.
            """,
        subcommands: [OutboxList.self, OutboxShow.self, OutboxRetry.self, OutboxDrop.self])

    /// Opens the file, runs the body and closes the file.
    ///
    /// - Parameter changes: False to open the file for reading only.
    static func open<Value>(
        _ file: String, changes: Bool = false, _ body: (Outbox) async throws -> Value
    ) async throws -> Value {
        let outbox: Outbox
        do throws(OutboxError) {
            var configuration = Outbox.Configuration()
            configuration.createsFile = false
            outbox = try changes ? Outbox(path: file, configuration: configuration) : Outbox(reading: file)
        } catch {
            throw Failure(error)
        }
        do {
            let value = try await body(outbox)
            await outbox.close()
            return value
        } catch {
            await outbox.close()
            throw (error as? OutboxError).map { Failure($0) } ?? error
        }
    }
}

extension Failure {
    /// A missing or finished item counts as not found; any other error concerns the file.
    init(_ error: OutboxError) {
        let isAboutTheItem = error.code == .notFound || error.code == .finished
        self.init(code: isAboutTheItem ? .nothing : .file, description: error.message)
    }
}

/// The file of an outbox, and the number of an item.
struct OutboxItemArguments: ParsableArguments {
    @Argument(help: "The outbox's file.", completion: .file()) var file: String
    @Argument(help: "The number of the item, as `net-activity outbox list` shows it.") var id: Int64
}

/// The state of an item on the command line.
struct OutboxStateName: ExpressibleByArgument {
    let state: OutboxItem.State

    init?(argument: String) {
        guard let state = OutboxItem.State.allCases.first(where: { $0.description == argument }) else { return nil }
        self.state = state
    }

    static var allValueStrings: [String] { OutboxItem.State.allCases.map(\.description) }
}
#endif

#if Tools
internal import ArgumentParser
internal import NetStore

struct OutboxRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Let a parked or waiting item be sent now, with the same key.")

    @OptionGroup var item: OutboxItemArguments

    func run() async throws {
        try await OutboxCommand.open(item.file, changes: true) { outbox in try await outbox.retry(item.id) }
        print("Item \(item.id) is to be sent.")
    }
}

struct OutboxDrop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop an item: it isn't sent any more, and its headers and body are deleted.")

    @OptionGroup var item: OutboxItemArguments

    func run() async throws {
        try await OutboxCommand.open(item.file, changes: true) { outbox in try await outbox.drop(item.id) }
        print("Item \(item.id) was dropped.")
    }
}
#endif

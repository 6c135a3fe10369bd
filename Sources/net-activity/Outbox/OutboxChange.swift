#if Tools
internal import ArgumentParser
internal import NetStore

struct OutboxRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Send a parked or waiting item now, with the same key.")

    @OptionGroup var item: OutboxItemArguments

    func run() async throws {
        try await OutboxCommand.open(item.file, changes: true) { outbox in try await outbox.retry(item.id) }
        print("Item \(item.id) will be sent.")
    }
}

struct OutboxDrop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop an item: it will not be sent, and its headers and body are deleted.")

    @OptionGroup var item: OutboxItemArguments

    func run() async throws {
        try await OutboxCommand.open(item.file, changes: true) { outbox in try await outbox.drop(item.id) }
        print("Item \(item.id) was dropped.")
    }
}
#endif

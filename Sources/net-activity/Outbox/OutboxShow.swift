#if Tools
internal import ArgumentParser
internal import HTTPTypes
internal import NetCore
internal import NetStore

struct OutboxShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one item of an outbox with the last response to it.")

    @OptionGroup var item: OutboxItemArguments
    @Flag(
        help: """
            Also show the stored part of the response body. Values that the redaction policy names are hidden; it may \
            contain other secrets.
            """)
    var body = false
    @Flag(help: "Print one JSON object.") var json = false

    func run() async throws {
        let found = try await OutboxCommand.open(item.file) { outbox in
            guard let found = try await outbox.item(id: item.id) else {
                throw Failure(
                    description: "The outbox has no item \(item.id); it may have been finished and forgotten.")
            }
            return found
        }
        if json { return print(try OutboxLine(found).json()) }
        facts(of: found)
        if let response = found.response { show(response) }
    }

    private func facts(of item: OutboxItem) {
        fact("id", "\(item.id)")
        let reason = item.parkReason.map { " (\($0.rawValue))" } ?? ""
        fact("state", item.state.description + reason, item.state.colour)
        fact("request", "\(item.method.rawValue) \(item.url)")
        if let name = item.name { fact("name", name) }
        if let operation = item.operationID { fact("operation", operation) }
        if !item.tags.isEmpty { fact("tags", item.tags.joined(separator: ", ")) }
        if item.isOwned { fact("user", item.ownerNote) }
        if let key = item.orderKey { fact("order key", key) }
        fact("key", item.idempotencyKey)
        fact("body", TerminalText.bytes(Int64(item.bodyBytes)))
        fact("added", item.acceptedAt.table + " UTC")
        fact("changed", item.changedAt.table + " UTC")
        if let end = item.expiresAt { fact("expires", end.table + " UTC") }
        if let next = item.nextAttempt { fact("next try", next.table + " UTC") }
        fact("tries", "\(item.attempts)")
        if let failure = item.failure { fact("error", "\(failure.code): \(failure.message)") }
    }

    private func show(_ response: OutboxResponse) {
        fact("response", "\(response.status)")
        for field in response.headers { fact("", "\(field.name.rawName): \(field.value)") }
        guard !response.body.isEmpty else { return }
        let size = TerminalText.bytes(Int64(response.body.count))
        guard body else { return fact("", "\(size) of its body are stored: --body shows them") }
        print("")
        for line in Excerpt(String(decoding: response.body, as: UTF8.self), width: Output.width, maximumLines: nil)
            .lines
        {
            print(line)
        }
    }

    private func fact(_ name: String, _ value: String, _ colour: Output.Colour? = nil) {
        let label = name.isEmpty ? "" : name + ":"
        let indent = label + String(repeating: " ", count: max(0, 11 - label.count))
        for (index, line) in Excerpt(value, width: Output.width - 11, maximumLines: 20).lines.enumerated() {
            print((index == 0 ? indent : String(repeating: " ", count: 11)) + Output.colour(line, colour))
        }
    }
}
#endif

#if Tools
internal import ArgumentParser
internal import NetCore
internal import NetStore

struct OutboxList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the items of an outbox, in the order in which they were added.")

    @Argument(help: "The outbox's file.", completion: .file()) var file: String
    @Option(name: .customLong("state"), help: "Only items in this state; may be repeated. Default: all.")
    var states: [OutboxStateName] = []
    @Option(help: "Start after the item with this number.") var after: Int64 = 0
    @Option(help: "The maximum number of items.") var limit = 50
    @Flag(help: "Print one JSON object per line.") var json = false
    @Flag(help: "Don't use a pager, even in a terminal.") var noPager = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be positive, not \(limit).") }
    }

    func run() async throws {
        if !noPager { Pager.start() }
        let wanted = states.isEmpty ? Set(OutboxItem.State.allCases) : Set(states.map(\.state))
        let items = try await OutboxCommand.open(file) { outbox in
            try await outbox.items(in: wanted, after: after, limit: limit)
        }
        if json {
            for item in items { print(try OutboxLine(item).json()) }
        } else if items.isEmpty {
            print(states.isEmpty ? "The outbox is empty." : "Nothing matches.")
        } else {
            for line in table(items).lines() { print(line) }
        }
        if items.isEmpty { throw ExitCode.nothing }
    }

    private func table(_ items: [OutboxItem]) -> TextTable {
        var table = TextTable([
            .init(title: "ID", isRight: true), .init(title: "STATE"), .init(title: "RESULT", least: 9, rank: 4),
            .init(title: "METHOD", least: 6, rank: 3), .init(title: "TRIES", isRight: true, rank: 1),
            .init(title: "KEY", least: 6, rank: 2), .init(title: "URL", least: 9), .init(title: "ADDED (UTC)", rank: 0),
        ])
        for item in items {
            table.add([
                .init("\(item.id)"), .init(item.state.description, item.state.colour), .init(item.result),
                .init(item.method.rawValue), .init("\(item.attempts)"), .init(item.orderKey ?? "-"), .init(item.url),
                .init(item.acceptedAt.table),
            ])
        }
        return table
    }
}

extension OutboxItem {
    /// The last status or error; before the first attempt `user` for an item that only its user sends, else a dash.
    var result: String {
        response.map { "\($0.status)" } ?? failure?.code ?? (isOwned && state == .queued ? "user" : "-")
    }
}

extension OutboxItem {
    /// The reason why an item of a named user may have to wait.
    var ownerNote: String {
        switch state {
        case .queued, .waiting: "held until its user sends; other senders skip it"
        case .sending, .parked, .completed, .dropped: "sent by its user only"
        }
    }
}

extension OutboxItem.State {
    var colour: Output.Colour? {
        switch self {
        case .completed: .green
        case .parked: .red
        case .waiting: .yellow
        case .queued, .sending, .dropped: nil
        }
    }
}
#endif

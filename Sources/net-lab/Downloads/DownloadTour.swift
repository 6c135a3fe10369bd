#if Tools && Server
internal import Foundation
internal import NetCore
internal import NetHTTP
internal import NetTestServer

/// Downloads a catalog, then its files by priority, changes a priority on the way, and shows the beginning of each
/// file.
struct DownloadTour {
    let client: HTTPClient
    let manager: DownloadManager
    let base: String

    /// Returns true if every file arrived as it was sent.
    func run() async throws -> Bool {
        let items = try await client.send(Request<[Shelves.Item]>("catalogue"))
        show(items)
        let events = manager.events(buffering: .newest(1000))
        let requests = items.map {
            DownloadRequest("\(base)/files/\($0.name)", fileName: $0.name, priority: priority($0.priority))
        }
        let ids = try await manager.enqueue(requests).map { try $0.get() }
        // The reader needs the tables now.
        if let index = items.firstIndex(where: { $0.name == "errata.html" }) {
            try await manager.setPriority(.critical, of: ids[index])
            Terminal.print("  errata.html is critical now")
        }
        Terminal.print("")
        Terminal.print(Terminal.bold("Two at a time, by priority"))
        await follow(events, of: ids.count)
        Terminal.print("")
        return preview(items)
    }

    private func show(_ items: [Shelves.Item]) {
        Terminal.print(Terminal.bold("The catalogue at \(base)/catalogue"))
        var table = Table(columns: [.left("file", 14), .right("size", 10), .left("  priority", 12), .left("about", 40)])
        for item in items {
            table.add([item.name, TerminalText.bytes(Int64(item.bytes)), "  \(item.priority)", item.about])
        }
        table.print()
        Terminal.print("")
    }

    /// Prints the events until the given number of downloads have ended.
    private func follow(_ events: AsyncStream<DownloadEvent>, of count: Int) async {
        var ended = 0
        for await event in events {
            let name = Text.pad(event.task.name, to: 14)
            switch event.kind {
            case .state(.downloading): Terminal.print("  begins     \(name)\(priority(event.task.priority))")
            case .state(.completed):
                Terminal.print("  \(Terminal.green("completed")) \(" ")\(name)\(TerminalText.bytes(event.task.bytes))")
            case .state(.failed):
                Terminal.print("  \(Terminal.red("failed")) \("    ")\(name)\(event.task.error?.message ?? "")")
            case .progress(let progress):
                let share = progress.fraction.map { "\(Int($0 * 100)) %" } ?? ""
                Terminal.progress("  loading    \(name)\(share)")
            default: break
            }
            if case .state(let state) = event.kind, state.isFinal { ended += 1 }
            if ended == count { return }
        }
    }

    private func preview(_ items: [Shelves.Item]) -> Bool {
        Terminal.print(Terminal.bold("The files, by their first bytes"))
        var isRight = true
        for item in items {
            let path = manager.tasks.first { $0.fileName == item.name }?.localURL?.path ?? ""
            let bytes = FileManager.default.contents(atPath: path).map { Bytes($0) }
            let isSame = bytes == Shelves.content(of: item)
            if !isSame { isRight = false }
            let verdict = isSame ? Terminal.green("right") : Terminal.red("WRONG")
            Terminal.print("  \(verdict)  \(Text.pad(item.name, to: 14))\(Text.cut(Preview.line(of: path), to: 70))")
        }
        return isRight
    }

    private static let names: [(String, RequestPriority)] = [
        ("low", .low), ("normal", .normal), ("high", .high), ("critical", .critical),
    ]

    private func priority(_ name: String) -> RequestPriority {
        Self.names.first { $0.0 == name }?.1 ?? .normal
    }

    private func priority(_ priority: RequestPriority) -> String {
        Self.names.first { $0.1 == priority }?.0 ?? "\(priority.rawValue)"
    }
}
#endif

import Foundation
import Testing

@testable import NetStore

/// Processes that are killed at arbitrary moments, repeatedly: the one that adds and sends, and the server.
@Suite(.timeLimit(.minutes(15)))
struct OutboxKillTests {
    /// `scripts/soak outbox` kills more often.
    private static let isSoak = ProcessInfo.processInfo.environment["NET_SOAK"] == "1"
    private static let rounds = isSoak ? 100 : 10
    /// The longest time before a kill, in milliseconds.
    private static let longest = isSoak ? 250 : 150
    /// The number of item numbers reserved for each round.
    private static let step = 1_000_000

    private let folder: TemporaryFolder
    private var random = SeededNumbers(2026)

    init() throws { folder = try TemporaryFolder() }

    private func worker(_ arguments: String...) throws -> ChildProcess {
        try ChildProcess(Command.product("outbox-worker"), arguments)
    }

    @Test mutating func `each accepted item arrives once and in order although the sender is killed`() async throws {
        let server = try await ActServer.start(folder.file("server.sqlite"))
        let (file, note) = (folder.file("outbox.sqlite"), folder.file("acknowledged"))
        var accepted: [ClosedRange<Int>] = []
        for round in 1...Self.rounds {
            let first = round * Self.step
            try? FileManager.default.removeItem(atPath: note)
            let worker = try worker("add", file, server.url, note, "\(first)", "0", "0")
            // Every other one has added at least three items.
            while round % 2 == 0, (acknowledged(note) ?? 0) < first + 2, worker.isRunning {
                try await Task.sleep(for: .milliseconds(1))
            }
            // While it opens, in a commit, in a send, or between them.
            try await Task.sleep(for: .milliseconds(Int.random(in: 5..<Self.longest, using: &random)))
            worker.kill()
            #expect(await worker.end() == SIGKILL)
            if let last = acknowledged(note) { accepted.append(first...last) }
        }
        try await finish(file, server, accepted, kills: Self.rounds, of: "the sender")
        await server.kill()
    }

    @Test mutating func `each accepted item arrives once and in order although the server is killed`() async throws {
        var server = try await ActServer.start(folder.file("server.sqlite"))
        let (file, note) = (folder.file("outbox.sqlite"), folder.file("acknowledged"))
        let worker = try worker("add", file, server.url, note, "\(Self.step)", "0", "3")
        for _ in 1...Self.rounds {
            try await Task.sleep(for: .milliseconds(Int.random(in: 20..<Self.longest, using: &random)))
            await server.kill()
            server = try await ActServer.start(server.file, port: server.port)
        }
        // It has added more items than there were kills.
        while (acknowledged(note) ?? 0) < Self.step + Self.rounds, worker.isRunning {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(worker.isRunning)
        worker.kill()
        await worker.end()
        let last = try #require(acknowledged(note))
        try await finish(file, server, [Self.step...last], kills: Self.rounds, of: "the server")
        await server.kill()
    }

    /// Returns the number of the last accepted item; nil if there is none.
    private func acknowledged(_ note: String) -> Int? {
        guard let bytes = FileManager.default.contents(atPath: note), bytes.count == 8 else { return nil }
        return Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    }

    /// Sends the remaining items, and compares the accepted ones with the server's actions.
    private func finish(
        _ file: String, _ server: ActServer, _ accepted: [ClosedRange<Int>], kills: Int, of who: String
    ) async throws {
        let worker = try worker("send", file, server.url)
        #expect(await worker.end() == 0)
        let acts = try server.acts()
        let numbers = acts.map(\.number)
        #expect(Set(numbers).count == numbers.count, "acted twice")
        #expect(Set(acts.map(\.token)).count == acts.count)
        let missing = accepted.flatMap { Array($0) }.filter(Set(numbers).contains).count
        let count = accepted.reduce(0) { $0 + $1.count }
        #expect(missing == count, "of \(count) accepted items, \(missing) have arrived")
        for line in Set(acts.map(\.line)) {
            let inLine = acts.filter { $0.line == line }.map(\.number)
            #expect(inLine == inLine.sorted(), "\(line) is out of order")
        }
        #expect(count > kills, "the kills came too early to show anything")
        #expect(try Command.sqlite(file, "PRAGMA integrity_check; SELECT items FROM outbox_total") == "ok\n0")
        guard Self.isSoak else { return }
        let repeats = try server.repeats()
        print("soak outbox: \(kills) kills of \(who), \(count) accepted, \(acts.count) acted on, \(repeats) sent again")
    }
}

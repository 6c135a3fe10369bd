import Foundation
import NetCore
import Testing

@testable import NetStore

/// A program that is killed at arbitrary moments, repeatedly, with one file.
@Suite(.timeLimit(.minutes(30)))
struct KillTests {
    /// `scripts/soak store` kills more often.
    private static let rounds = ProcessInfo.processInfo.environment["NET_SOAK"] == "1" ? 1000 : 50
    /// The number of call IDs reserved for each round.
    private static let step = 100_000

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func acknowledgedEntriesSurviveEveryKill() async throws {
        var random = SeededNumbers(2026)
        let file = folder.file()
        try await ActivityStore(at: file).close()
        var (acknowledged, longest) = (0, Duration.zero)
        for round in 1...Self.rounds {
            // While it opens, in the middle of a batch, or between two.
            let longestDelay = round % 5 == 0 ? 600_000 : 120_000
            let done = try await killOne(round, after: Int.random(in: 0..<longestDelay, using: &random))
            let begin = ContinuousClock.now
            let store = try ActivityStore(at: file)
            longest = max(longest, ContinuousClock.now - begin)
            try await check(store, round: round, done: done)
            acknowledged += done + 1
            if round % 20 == 0 { try await store.deleteAll() }
            try await store.close()
            #expect(try Command.sqlite(file, "PRAGMA integrity_check") == "ok", "round \(round)")
        }
        #expect(acknowledged > Self.rounds, "the kills came too early to show anything")
        #expect(longest < .seconds(30))
    }

    /// Runs a process that commits one call after another, and kills it after the given number of microseconds. Returns
    /// the number of the last acknowledged call; -1 if there was none.
    private func killOne(_ round: Int, after delay: Int) async throws -> Int {
        let (file, acknowledged, first) = (folder.file(), folder.file("acknowledged"), round * Self.step)
        try withUnsafeBytes(of: Int64(-1)) { try Data($0).write(to: URL(fileURLWithPath: acknowledged)) }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                file = file as String, acknowledged = acknowledged as String, first = first as Int, delay = delay as Int
            ] in
            let killer = Thread {
                usleep(UInt32(delay))
                kill(getpid(), SIGKILL)
            }
            killer.start()
            let notes = open(acknowledged, O_WRONLY)
            let store = try ActivityStore(at: file)
            for number in 0... {
                // One call ends, and the next one begins.
                let call = Events.call(first + number)
                let ends = number == 0 ? call : Array(call.dropFirst())
                try await store.write(ends, [Events.call(first + number + 1)[0]])
                var done = Int64(number)
                pwrite(notes, &done, 8, 0)
            }
        }
        let note = try Data(contentsOf: URL(fileURLWithPath: acknowledged))
        return Int(note.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
    }

    private func check(_ store: ActivityStore, round: Int, done: Int) async throws {
        let first = round * Self.step
        let items = try await store.items(limit: 100_000).filter { $0.uid >= Events.id(first) }
            .sorted { $0.uid < $1.uid }
        #expect(items.map(\.uid) == items.indices.map { Events.id(first + $0) }, "round \(round)")
        // No entry is incomplete.
        #expect(items.dropLast().allSatisfy { $0.outcome == .completed && $0.attempts == 1 && $0.status == 200 })
        #expect(items.allSatisfy { $0.url?.hasPrefix("https://api.example.com/items/") == true })
        guard done >= 0 else { return }
        // All finished calls, and the unfinished one.
        #expect(items.count >= done + 2, "round \(round)")
        #expect(items.last?.outcome == .cutOff || items.count > done + 2, "round \(round)")
    }
}

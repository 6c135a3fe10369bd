import Foundation
import NetCore
import Testing

@testable import NetStore

/// Several processes with one file, and processes that are killed.
@Suite(.timeLimit(.minutes(2)))
struct ProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func twoProcessesShareOneFile() async throws {
        let file = folder.file()
        try await ActivityStore(at: file).close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(processExitsWith: .success) { [file = file as String] in
                    let store = try ActivityStore(at: file)
                    for number in 0..<500 { try await store.write(Events.call(number, operation: "op\(number % 10)")) }
                    try await store.close()
                }
            }
            group.addTask {
                let store = try ActivityStore(at: file)
                for number in 500..<1000 { try await store.write(Events.call(number, operation: "op\(number % 10)")) }
                try await store.close()
            }
            try await group.waitForAll()
        }
        let counts = "SELECT count(*), max(id), count(DISTINCT run), count(DISTINCT operation) FROM net_item"
        #expect(try Command.sqlite(file, counts) == "1000|1000|2|10")
        #expect(
            try Command.sqlite(file, "SELECT sum(calls), (SELECT items FROM net_total) FROM net_hour") == "1000|1000")
        #expect(try Command.sqlite(file, "PRAGMA integrity_check") == "ok")
    }

    @Test(arguments: [100, 700, 1500]) func aProcessThatIsKilledAnywhereKeepsWhatItAcknowledged(after events: Int)
        async throws
    {
        let (file, acknowledged) = (folder.file(), folder.file("acknowledged"))
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [file = file as String, acknowledged = acknowledged as String, events = events as Int] in
            let store = try ActivityStore(at: file)
            let notes = open(acknowledged, O_WRONLY | O_CREAT, 0o600)
            let killer = Thread { while true { if store.statistics.written >= events { kill(getpid(), SIGKILL) } } }
            killer.start()
            for number in 0... {
                // One call ends, and the next one begins.
                let call = Events.call(number)
                try await store.write(number == 0 ? call : Array(call.dropFirst()), [Events.call(number + 1)[0]])
                var done = Int64(number)
                pwrite(notes, &done, 8, 0)
            }
        }
        let note = try Data(contentsOf: URL(fileURLWithPath: acknowledged))
        let done = note.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
        let store = try ActivityStore(at: file)
        let items = try await store.items(limit: 10_000).sorted { $0.uid < $1.uid }
        #expect(items.count >= Int(done) + 2)
        #expect(done > 10)
        #expect(items.map(\.uid) == items.indices.map { Events.id($0) })
        #expect(items.dropLast().allSatisfy { $0.outcome == .completed && $0.attempts == 1 })
        // The unfinished one, unless the process was killed between two batches.
        #expect(items.last?.outcome == .cutOff || items.count > Int(done) + 2)
        try await store.close()
        #expect(try Command.sqlite(file, "PRAGMA integrity_check") == "ok")
    }

    @Test func unfinishedEntriesOfAnEarlierBootAreCutOff() async throws {
        let file = folder.file()
        try await ActivityStore(at: file).close()
        let uid = { (number: Int) in
            "x'" + Events.id(number).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
        let own = Machine.name
        try Command.changeWithSQLite(
            file,
            """
            INSERT INTO net_run (process, pid, machine, started_at) VALUES ('old', 1, 'earlier/1', 0),
                ('other', 1, '\(own)x', 0), ('alive', \(getpid()), '\(own)', 0);
            INSERT INTO net_open (uid, kind, run, started_at) VALUES (\(uid(1)), 1, 2, 0), (\(uid(2)), 1, 3, 0), (\(uid(3)), 1, 4, 0)
            """)
        let store = try ActivityStore(at: file)
        #expect(try await store.items().map(\.uid) == [Events.id(1)])
        #expect(try await store.itemsUnderWay().map(\.uid) == [Events.id(3), Events.id(2)])
        let states = try await store.runs().map(\.state)
        #expect(states == [.running, .running, .unknown, .cutOff, .ended])
        try await store.close()
    }

    @Test func aProcessIsToldFromALaterOneWithItsID() throws {
        let start = try #require(Machine.start(of: getpid()))
        #expect(Machine.isAlive(pid: Int64(getpid()), started: start, machine: Machine.name) == true)
        #expect(Machine.isAlive(pid: Int64(getpid()), started: start - 1, machine: Machine.name) == false)
        #expect(Machine.isAlive(pid: 0, started: nil, machine: Machine.name) == false)
        #expect(Machine.isAlive(pid: Int64(Int32.max), started: nil, machine: Machine.name) == false)
    }
}

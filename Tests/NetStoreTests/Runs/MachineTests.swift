import Foundation
import Testing

@testable import NetStore

/// The detection of running processes, and the states of their runs.
@Suite struct MachineTests {
    @Test func theMachineIsItsBootAndItsProcesses() throws {
        let parts = Machine.name.split(separator: "/", omittingEmptySubsequences: false)
        #if os(Linux)
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        try #require(parts.count == 2)
        #expect(parts[0] == boot.trimmingCharacters(in: .newlines))
        let namespace = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        #expect(namespace == "pid:[\(parts[1])]")
        #endif
        #expect(!Machine.program.isEmpty)
        #expect(!Machine.program.contains("/"))
    }

    @Test func theStartOfAProcessIsThatOfTheSystem() throws {
        #if os(Linux)
        let line = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
        let columns = line[line.index(after: try #require(line.lastIndex(of: ")")))...].split(separator: " ")
        #expect(Machine.start(of: getpid()) == Int64(columns[19]))
        #expect(Machine.start(of: Int32.max) == nil)
        #expect(Machine.start(of: -1) == nil)
        #endif
    }

    @Test func processLivenessIsUnknownOnlyInOtherNamespaces() throws {
        let own = Int64(getpid())
        let (start, name) = (Machine.start(of: getpid()), Machine.name)
        #expect(Machine.isAlive(pid: own, started: start, machine: name) == true)
        #expect(Machine.isAlive(pid: own, started: nil, machine: name) == true)
        #expect(Machine.isAlive(pid: own, started: 0, machine: name) == false)
        #expect(Machine.isAlive(pid: 1, started: nil, machine: name) == true)
        for pid in [0, -1, Int64(Int32.max), Int64.max, Int64.min] {
            #expect(Machine.isAlive(pid: pid, started: nil, machine: name) == false, "\(pid)")
        }
        #if os(Linux)
        // Processes of another namespace may be alive, those of another boot aren't.
        #expect(Machine.isAlive(pid: own, started: start, machine: name + "1") == nil)
        #expect(Machine.isAlive(pid: own, started: start, machine: "1" + name) == false)
        #expect(Machine.isAlive(pid: own, started: start, machine: "") == false)
        #endif
    }

    @Test func aRunIsReadWithItsStateAndItsCounts() throws {
        let folder = try TemporaryFolder()
        let connection = try SQLiteConnection(withTablesAt: folder.file())
        try connection.execute(
            """
            INSERT INTO net_run VALUES (1, 'p', 2, 3, 'm', 'v', 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 0);
            INSERT INTO net_run VALUES (2, 'p', 2, 3, 'm', NULL, 4, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
            INSERT INTO net_run VALUES (3, 'p', 2, 3, 'another boot/1', NULL, 4, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
            INSERT INTO net_run VALUES (4, 'p', 2, 3, '\(Machine.name)0', NULL, 4, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
            INSERT INTO net_run VALUES (5, 'p', \(getpid()), NULL, '\(Machine.name)', NULL, 4, NULL,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
            """)
        let runs = try StoredRun.all(" ORDER BY id", [], on: connection)
        try #require(runs.map(\.state) == [.ended, .cutOff, .cutOff, .unknown, .running])
        let counts = WriterStatistics(
            written: 6, dropped: .init(calls: 8, sockets: 9, jobs: 10, logs: 11, captures: 12, messages: 13), failed: 7)
        let first = StoredRun(
            id: 1, process: "p", processID: 2, version: "v", startedAt: StoredTime.date(4),
            endedAt: StoredTime.date(5), state: .ended, statistics: counts)
        #expect(runs[0] == first)
        #expect(runs[1].version == nil)
        #expect(runs[1].endedAt == nil)
    }

    @Test func recoveryCutsOffOnlyTheEntriesOfDeadRuns() throws {
        let folder = try TemporaryFolder()
        let connection = try SQLiteConnection(withTablesAt: folder.file())
        try connection.execute(
            """
            INSERT INTO net_run (process, pid, machine, started_at, ended_at, was_cut_off) VALUES
                ('ended', 1, 'boot/1', 0, 1, 0), ('known', 1, 'boot/1', 0, NULL, 1), ('dead', 1, 'boot/1', 0, NULL, 0);
            INSERT INTO net_open (uid, kind, run, started_at) VALUES
                (randomblob(16), 1, 1, 0), (randomblob(16), 1, 2, 0), (randomblob(16), 1, 3, 0);
            """)
        let names = try NameTable(on: connection)
        try CrashRecovery(connection: connection)
            .run(ItemStatement(on: connection, names: names), OpenStatement(on: connection, names: names))
        #expect(try connection.texts("SELECT run FROM net_open ORDER BY run") == ["1", "2"])
        #expect(try connection.texts("SELECT was_cut_off FROM net_run ORDER BY id") == ["0", "1", "1"])
    }
}

import Foundation
import NetCore
import Testing

@testable import NetStore

/// Each call of a scenario to the file system fails once: errors have a code, and acknowledged entries remain.
@Suite(.timeLimit(.minutes(5)))
struct FaultTests {
    private static let codes: Set<StoreError.Code> = [.full, .inputOutput, .locked, .permission, .notFound, .notAFile]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(inMemory: true) }

    private func store(_ file: String, _ system: FaultyFileSystem) throws -> ActivityStore {
        try ActivityStore(
            path: file,
            configuration: .init(
                busyTimeout: .milliseconds(1), firstRetryDelay: .milliseconds(1), longestRetryDelay: .milliseconds(1),
                retention: .none, open: { path, isReadOnly in try system.open(path, isReadOnly: isReadOnly) }))
    }

    /// Runs the body and returns true if it succeeded; an error must describe the problem.
    private func succeeds(_ what: String, _ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return true
        } catch {
            let code = (error as? StoreError)?.code
            #expect(code.map { Self.codes.contains($0) } == true, "\(what): \(error)")
            return false
        }
    }

    /// Writes calls and returns those whose flush succeeded: finished ones and the unfinished one.
    private func scenario(_ store: ActivityStore, _ what: String) async -> (finished: [Int], isOpen: Bool) {
        var finished: [Int] = []
        for number in 1...3 {
            if await succeeds(what, { try await store.write(Events.call(number)) }) { finished.append(number) }
        }
        let body = CaptureContent.Body(
            bytes: Bytes([UInt8](repeating: 1, count: 9000)), size: 9000, isCut: false, type: nil)
        store.record(Events.call(4)[0])
        store.record(PendingCapture(Events.id(4), number: 1, status: 200, response: body))
        let isOpen = await succeeds(what) { try await store.flush(.disk) }
        return (isOpen ? [1, 2, 3] : finished, isOpen)
    }

    private func check(_ file: String, _ done: (finished: [Int], isOpen: Bool), _ what: String) throws {
        let check = "PRAGMA integrity_check; INSERT INTO net_search (net_search) VALUES ('integrity-check')"
        let integrity = try Command.run("/usr/bin/env", ["sqlite3", file, check])
        #expect(integrity.output == "ok\n", "\(what): \(integrity.output)\(integrity.errors)")
        #expect(integrity.exitCode == 0, "\(what): \(integrity.output)\(integrity.errors)")
        let connection = try SQLiteConnection(at: file)
        for number in done.finished {
            let sql = "SELECT count(*) FROM net_item WHERE uid = ? AND outcome = 1"
            #expect(try connection.integer(sql, [.blob(Events.id(number).bytes)]) == 1, "\(what): call \(number)")
        }
        let open = """
            SELECT (SELECT count(*) FROM net_open WHERE uid = ?1) + (SELECT count(*) FROM net_item WHERE uid = ?1)
                + (SELECT count(*) FROM net_capture JOIN net_body AS b ON b.id = response_body WHERE call = ?1)
            """
        if done.isOpen { #expect(try connection.integer(open, [.blob(Events.id(4).bytes)]) == 2, "\(what): under way") }
        let agree = "SELECT (SELECT items FROM net_total) = (SELECT count(*) FROM net_item)"
        #expect(try connection.integer(agree) == 1, "\(what)")
        let rolledUp =
            "SELECT (SELECT coalesce(sum(calls), 0) FROM net_hour) = (SELECT count(*) FROM net_item WHERE outcome = 1)"
        #expect(try connection.integer(rolledUp) == 1, "\(what): roll-ups count each call once")
        let unnamed =
            "SELECT count(*) FROM net_item AS i WHERE NOT EXISTS (SELECT 1 FROM net_name WHERE id = i.host AND text LIKE 'api%')"
        #expect(try connection.integer(unnamed) == 0, "\(what): names that were undone")
    }

    @Test(arguments: FaultyFileSystem.Fault.allCases)
    func aCallThatFailsOnceLosesNothing(fault: FaultyFileSystem.Fault) async throws {
        for number in 1... {
            let (file, what) = (folder.file("\(fault)-\(number)"), "\(fault) \(number)")
            let system = try FaultyFileSystem()
            system.fail(fault, at: number)
            var opened: ActivityStore?
            let isOpen = await succeeds(what) { opened = try store(file, system) }
            guard let store = opened ?? (isOpen ? nil : try? store(file, system)) else {
                Issue.record("\(what): a file isn't opened once the fault is over")
                return
            }
            _ = await scenario(store, what)
            let hasFailed = system.hasFailed
            system.heal()
            let isWritten = await succeeds(what) { try await store.flush() }
            #expect(isWritten, "\(what): what failed is written once it can be")
            #expect(await succeeds(what) { try await store.close() })
            try check(file, ([1, 2, 3], true), what)
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) }
            if !hasFailed { return }
        }
    }

    @Test(arguments: FaultyFileSystem.Fault.allCases)
    func acknowledgedEntriesSurviveAPermanentDiskFailure(fault: FaultyFileSystem.Fault) async throws {
        for number in 1... {
            let (file, what) = (folder.file("\(fault)-\(number)"), "\(fault) from \(number) on")
            let system = try FaultyFileSystem()
            let store = try store(file, system)
            system.fail(fault, at: number, forever: true)
            let done = await scenario(store, what)
            let hasFailed = system.hasFailed
            _ = await succeeds(what) { try await store.close() }
            try check(file, done, what)
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + end) }
            if !hasFailed { return }
        }
    }

    @Test func onlyAFlushToTheDiskWaitsForTheDisk() async throws {
        let system = try FaultyFileSystem()
        let store = try store(folder.file(), system)
        system.fail(.flush, at: 0)
        try await store.write(Events.call(1))
        #expect(system.count == 0)
        try await store.flush(.disk)
        #expect(system.count > 0)
        system.fail(.flush, at: 0)
        try await store.write(Events.call(2))
        #expect(system.count == 0)
        try await store.close()
    }
}

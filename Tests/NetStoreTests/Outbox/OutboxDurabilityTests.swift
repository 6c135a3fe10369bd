import Foundation
import HTTPTypes
import NetCore
import Synchronization
import Testing

@testable import NetStore

/// The meaning of "accepted": the flush of the commit has returned.
@Suite(.timeLimit(.minutes(5)))
struct OutboxDurabilityTests {
    private let folder: TemporaryFolder
    private let system: FaultyFileSystem
    private let outbox: Outbox

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        let system = try FaultyFileSystem()
        self.system = system
        outbox = try Outbox(
            path: folder.file(),
            configuration: .init {
                $0.busyTimeout = .milliseconds(1)
                $0.open = { try system.open($0, isReadOnly: $1) }
            })
    }

    private static let request = Request<Void>("orders", method: .post, body: .text("tea"))

    /// Waits until a condition holds, which another thread makes true.
    private func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `an item is accepted after its writes were flushed`() async throws {
        for _ in 1...5 {
            system.note()
            try await outbox.add(Self.request)
            system.mark("a")
            let notes = system.notes
            #expect(notes.hasSuffix("sa"), "\(notes)")
            #expect(notes.contains("w"), "\(notes)")
        }
        await outbox.close()
    }

    @Test func `no item is accepted while its flush is under way`() async throws {
        let isAccepted = Atomic(false)
        system.holdFlushes(true)
        async let id = {
            defer { isAccepted.store(true, ordering: .sequentiallyConsistent) }
            return try await outbox.add(Self.request)
        }()
        try await until { system.heldFlushes == 1 }
        // Enough turns for a result that was reported too early.
        for _ in 0..<50 { try await Task.sleep(for: .milliseconds(1)) }
        let isTooEarly = isAccepted.load(ordering: .sequentiallyConsistent)
        #expect(!isTooEarly)
        system.holdFlushes(false)
        #expect(try await id == 1)
        await outbox.close()
    }

    @Test func `items that are added at the same time share a flush`() async throws {
        let outbox = outbox
        // The first commit also flushes the beginning of the log.
        try await outbox.add(Self.request)
        system.holdFlushes(true)
        try await withThrowingTaskGroup(of: OutboxItem.ID.self) { group in
            group.addTask { try await outbox.add(Self.request) }
            try await until { system.heldFlushes == 1 }
            for _ in 1...100 { group.addTask { try await outbox.add(Self.request) } }
            try await until { outbox.worker.waitingJobs == 100 }
            system.note()
            system.holdFlushes(false)
            var ids: Set<OutboxItem.ID> = []
            for try await id in group { ids.insert(id) }
            #expect(ids == Set(2...102))
        }
        // The end of the flush that was held, and one flush for the hundred items.
        #expect(system.notes.filter { $0 == "s" }.count == 2)
        await outbox.close()
    }

    @Test func `a flush that fails accepts nothing, also after a crash`() async throws {
        try await outbox.add(Self.request)
        system.fail(.flush, at: 1)
        let error = await #expect(throws: OutboxError.self) { try await outbox.add(Self.request) }
        #expect(error?.code == .store)
        #expect(error?.storeError?.code == .inputOutput)
        #expect(system.hasFailed)
        #expect(try await outbox.items().map(\.id) == [1])
        // The files as they would be after a crash at this moment.
        let copy = try TemporaryFolder(inMemory: true)
        for name in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.file() + name, toPath: copy.file() + name)
        }
        let found = try Outbox(path: copy.file())
        #expect(try await found.items().map(\.id) == [1])
        await found.close()
        #expect(try await outbox.add(Self.request) == 2)
        #expect(try await outbox.items().map(\.id) == [1, 2])
        await outbox.close()
    }

    @Test func `a full disk refuses items and keeps those that were accepted`() async throws {
        try await outbox.add(Self.request)
        system.fail(.full, at: 1, forever: true)
        for _ in 1...3 {
            let error = await #expect(throws: OutboxError.self) { try await outbox.add(Self.request) }
            #expect(error?.storeError?.code == .full)
        }
        system.heal()
        #expect(try await outbox.add(Self.request) == 2)
        #expect(try await outbox.items().map(\.id) == [1, 2])
        await outbox.close()
        #expect(try Command.sqlite(folder.file(), "PRAGMA integrity_check") == "ok")
    }

    @Test func `each call to the file system may fail once`() async throws {
        await outbox.close()
        for kind in FaultyFileSystem.Fault.allCases {
            for number in 1...200 {
                let file = folder.file("\(kind)-\(number).sqlite")
                let accepted = await scenario(file, kind, number)
                system.heal()
                let outbox = try Outbox(path: file)
                #expect(try await outbox.items().map(\.id).count == accepted, "\(kind) \(number)")
                await outbox.close()
                if !system.hasFailed, accepted == 3 { break }
            }
        }
    }

    /// Opens an outbox and adds three items, while one call fails. Returns the number of accepted items.
    private func scenario(_ file: String, _ kind: FaultyFileSystem.Fault, _ number: Int) async -> Int {
        let system = system
        system.fail(kind, at: number)
        guard
            let outbox = try? Outbox(
                path: file,
                configuration: .init {
                    $0.busyTimeout = .milliseconds(1)
                    $0.open = { try system.open($0, isReadOnly: $1) }
                })
        else { return 0 }
        var count = 0
        for _ in 1...3 where (try? await outbox.add(Self.request)) != nil { count += 1 }
        await outbox.close()
        return count
    }
}

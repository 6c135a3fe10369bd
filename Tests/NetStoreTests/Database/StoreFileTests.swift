import Foundation
import NetCore
import Testing

@testable import NetStore

@Suite struct StoreFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func errorOpening(_ path: String) throws -> StoreError {
        try #require(throws: StoreError.self) {
            _ = try ActivityStore(path: path, configuration: .init(busyTimeout: .milliseconds(20)))
        }
    }

    private func errorReading(_ path: String) throws -> StoreError {
        try #require(throws: StoreError.self) { _ = try ActivityReader(path: path) }
    }

    @Test(arguments: ["", ":memory:", "a\u{0}b"]) func aPathThatNamesNoFileIsRefused(path: String) throws {
        #expect(try errorOpening(path).code == .invalidPath)
        #expect(try errorReading(path).code == .invalidPath)
    }

    @Test func aFolderIsNoDatabase() throws {
        let error = try errorOpening(folder.path)
        #expect(error.code == .notAFile)
        #expect(error.message.contains("a folder"))
        #expect(error.path == folder.path)
        #expect(try errorReading(folder.path).code == .notAFile)
    }

    @Test func nonRegularFilesCannotBeOpened() throws {
        let error = try errorOpening("/dev/null")
        #expect(error.code == .notAFile)
        #expect(error.message.contains("isn't a regular file"))
        #expect(error.path == "/dev/null")
        try Data().write(to: URL(fileURLWithPath: folder.file("file")))
        let below = try errorOpening(folder.file("file/activity.sqlite"))
        #expect(below.code == .notFound)
        #expect(below.message.hasPrefix("could not find the file: "))
    }

    @Test func aLinkToNowhereIsNotFollowedToANewFile() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("nowhere"))
        let error = try errorOpening(folder.file("link"))
        #expect(error.code == .notFound)
        #expect(error.message.hasPrefix("could not open the database: "))
        #expect(!FileManager.default.fileExists(atPath: folder.file("nowhere")))
    }

    @Test func aFileThatIsThereKeepsWhatItHolds() async throws {
        try await ActivityStore(at: folder.file()).close()
        let store = try ActivityStore(at: folder.file())
        #expect(try await store.runs().map(\.id) == [2, 1])
        try await store.close()
        let opened = try StoreFile.openForReading(folder.file(), busyTimeout: .milliseconds(30))
        #expect(opened.isReadOnly)
        #expect(try opened.integer("PRAGMA busy_timeout") == 30)
    }

    @Test func aConnectionThatOnlyReadsIsNotOneForWriting() throws {
        try Data().write(to: URL(fileURLWithPath: folder.file()))
        let reading = ActivityStore.Configuration(open: { path, _ in try AppDatabase.open(path, isReadOnly: true) })
        let error = #expect(throws: StoreError.self) {
            try StoreFile.openForWriting(folder.file(), configuration: reading)
        }
        #expect(error?.code == .permission)
        #expect(error?.message.contains("can be read but not written") == true)
        let known = StoreError(.corrupt, message: "known", path: "p")
        let failing = ActivityStore.Configuration(open: { _, _ in throw known })
        let passed = #expect(throws: StoreError.self) {
            try StoreFile.openForWriting(folder.file(), configuration: failing)
        }
        #expect(passed == known)
    }

    @Test func aMissingFolderIsNamed() throws {
        let error = try errorOpening(folder.file("missing/activity.sqlite"))
        #expect(error.code == .notFound)
        #expect(error.description.contains("missing/activity.sqlite"))
    }

    @Test func readingNeverMakesAFile() throws {
        #expect(try errorReading(folder.file()).code == .notFound)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func aFileThatIsNoDatabaseIsLeftAlone() throws {
        let text = Data(repeating: 0x41, count: 5000)
        try text.write(to: URL(fileURLWithPath: folder.file()))
        #expect(try errorOpening(folder.file()).code == .notADatabase)
        #expect(try errorReading(folder.file()).code == .notADatabase)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == text)
    }

    @Test func aDatabaseWithoutTheTablesIsNoStoreToRead() throws {
        try Command.changeWithSQLite(folder.file(), "CREATE TABLE note (text TEXT)")
        #expect(try errorReading(folder.file()).code == .notAStore)
        try Data().write(to: URL(fileURLWithPath: folder.file("empty")))
        #expect(try errorReading(folder.file("empty")).code == .notAStore)
    }

    @Test func aLockedDatabaseIsReportedAsLocked() throws {
        try Command.changeWithSQLite(folder.file(), "CREATE TABLE note (text TEXT)")
        let other = try SQLiteConnection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try other.execute("BEGIN EXCLUSIVE")
        #expect(try errorOpening(folder.file()).code == .locked)
        other.close()
    }

    @Test func aNewFileBelongsToItsOwnerOnly() async throws {
        try await ActivityStore(path: folder.file()).close()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file())
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func aNameWithSpecialMeaningToSQLiteIsAPlainFile() async throws {
        for name in ["file:a?mode=memory", "100%#?ü.sqlite", "with space"] {
            let store = try ActivityStore(at: folder.file(name))
            for event in Events.call(1) { store.record(event) }
            try await store.close()
            #expect(FileManager.default.fileExists(atPath: folder.file(name)))
            let connection = try SQLiteConnection(path: folder.file(name), access: .immutable, busyTimeout: .zero)
            #expect(try connection.integer("SELECT count(*) FROM net_item") == 1)
        }
    }

    @Test func aRelativePathNeverMeansAnythingButAFile() {
        #expect(SQLiteConnection.literal(":memory:") == "./:memory:")
        #expect(SQLiteConnection.literal("file:a?mode=memory") == "./file:a?mode=memory")
        #expect(SQLiteConnection.literal("/tmp/a.sqlite") == "/tmp/a.sqlite")
    }

    @Test func aFileMayNotBeWrittenByAnotherUser() async throws {
        try await ActivityStore(path: folder.file()).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file())
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
        let results = PermissionResults()
        let path = folder.path
        let thread = try SystemThread {
            OtherUser.becomeNobody()
            results.record { _ = try StoreFile.openForWriting(path + "/new.sqlite", configuration: .init()) }
            results.record { _ = try StoreFile.openForWriting(path + "/activity.sqlite", configuration: .init()) }
            results.record {
                let connection = try StoreFile.openForReading(path + "/activity.sqlite", busyTimeout: .zero)
                try StoreSchema.migrator.check(connection)
            }
        }
        thread.join()
        #expect(results.codes == [.permission, .permission, nil], "reading works even where no log can be made")
    }

    @Test func randomBytesAndDamageGiveErrors() async throws {
        let store = try ActivityStore(at: folder.file())
        for number in 0..<200 { for event in Events.call(number) { store.record(event) } }
        try await store.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        var random = SystemRandomNumberGenerator()
        for round in 0..<60 {
            let damaged = folder.file("damaged-\(round)")
            var bytes = whole
            if round < 20 {
                bytes = Data((0..<(round * 517)).map { _ in UInt8.random(in: 0...255, using: &random) })
            } else {
                let start = Int.random(in: 0..<bytes.count - 512, using: &random)
                for index in start..<start + 512 { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            }
            try bytes.write(to: URL(fileURLWithPath: damaged))
            await use(damaged)
        }
    }

    @Test func aFileCutAtAnyLengthGivesAnErrorOrAnAnswer() async throws {
        let store = try ActivityStore(at: folder.file())
        for number in 0..<50 { for event in Events.call(number) { store.record(event) } }
        try await store.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        for length in [1, 15, 16, 50, 99, 100, 101, 512, 4095, 4096, 4097, 8192, 20_000, whole.count - 1] {
            let cut = folder.file("cut-\(length)")
            try whole.prefix(length).write(to: URL(fileURLWithPath: cut))
            if length < 4096 { #expect(throws: StoreError.self) { _ = try ActivityReader(path: cut) } }
            await use(cut)
        }
    }

    @Test func aWrongFileIsLeftAsItIsAndTheErrorSaysWhatToDo() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Array((0..<200).map { Events.call($0) }.joined()))
        try await store.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let files: [(String, Data, StoreError.Code, String)] = [
            ("text", Data(repeating: 0x41, count: 5000), .notADatabase, "move that file away"),
            ("cut", whole.prefix(4096 * 3), .corrupt, "Recover what can be read with `sqlite3 FILE .recover`"),
            ("empty", Data(), .notAStore, "Name the file that an ActivityStore has written"),
        ]
        for (name, bytes, code, advice) in files {
            let path = folder.file(name)
            try bytes.write(to: URL(fileURLWithPath: path))
            let error = await #expect(throws: StoreError.self) {
                let reader = try ActivityReader(path: path)
                _ = try await reader.items(limit: 1000)
            }
            #expect(error?.code == code, "\(name)")
            #expect(error?.path == path, "\(name)")
            #expect(error?.message.contains(advice) == true, "\(name)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes, "\(name)")
        }
    }

    /// Reads and writes a damaged file; each result must be an error or a value.
    private func use(_ path: String) async {
        do {
            let reader = try ActivityReader(path: path)
            _ = try? await reader.items(limit: 1000)
            _ = try? await reader.itemsUnderWay()
            _ = try? await reader.statistics(exact: true)
            _ = try? await reader.statistics()
            _ = try? await reader.search(words: "items 3")
            _ = try? await reader.item(uid: Events.id(3))
            await reader.close()
            let store = try ActivityStore(path: path, configuration: .init(longestRetryDelay: .milliseconds(1)))
            for event in Events.call(1000) { store.record(event) }
            try? await store.flush()
            try await store.close()
        } catch {
            #expect(!error.message.isEmpty)
            #expect(error.path == path)
        }
    }
}

/// Collects the results of a thread. `@unchecked Sendable`: written by that thread, read after it was joined.
final class PermissionResults: @unchecked Sendable {
    private(set) var codes: [StoreError.Code?] = []

    func record(_ body: () throws -> Void) {
        do {
            try body()
            codes.append(nil)
        } catch {
            codes.append((error as? StoreError)?.code)
        }
    }
}

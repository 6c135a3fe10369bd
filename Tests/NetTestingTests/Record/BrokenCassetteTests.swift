import Foundation
import NetCore
import NetTesting
import Testing

/// Files that can't be read or written: the error gives the position and the remedy, and the files stay unchanged.
@Suite(.timeLimit(.minutes(1)))
struct BrokenCassetteTests {
    private let folder: TemporaryFolder
    private var file: String { folder.file("tape.json") }

    init() throws { folder = try TemporaryFolder() }

    static let broken: [(text: String, message: String)] = [
        ("{\"version\": 1,", "tape.json:1:15: the file ends in the middle of it"),
        ("{\"version\": 9, \"exchanges\": []}", "newer than 1, the newest that this library reads"),
        ("", "tape.json:1:1"), ("{\"version\": 1, \"exchanges\": 7}", "tape.json:1:29: exchanges"),
        ("\u{0}\u{1}", "tape.json:1:1"),
    ]

    @Test(arguments: broken.indices, [ReplayTransport.Mode.once, .newEpisodes, .all, .none])
    func aFileThatIsBrokenWhenItIsOpenedStays(_ index: Int, _ mode: ReplayTransport.Mode) throws {
        let (text, message) = Self.broken[index]
        try Data(text.utf8).write(to: URL(filePath: file))
        let error = #expect(throws: NetError.self) {
            try ReplayTransport(cassette: file, mode: mode, over: MockTransport(), environment: ReplayEnvironment())
        }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains(index == 1 ? "; update the library" : "from version control") == true)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(try folder.text("tape.json") == text)
    }

    @Test(arguments: broken.indices)
    func aFileThatBreaksBeforeTheEndStays(_ index: Int) async throws {
        let (text, message) = Self.broken[index]
        let mock = MockTransport([Stub(.get, "/a", .text("a"))])
        let replay = try ReplayTransport(cassette: file, mode: .all, over: mock, environment: ReplayEnvironment())
        _ = try await RecordCall("/a").text(replay)
        try Data(text.utf8).write(to: URL(filePath: file))
        let error = #expect(throws: NetError.self) { try replay.save() }
        #expect(error?.message.contains(message) == true)
        #expect(error?.message.contains("so it is not overwritten") == true)
        #expect(try folder.text("tape.json") == text)
    }

    @Test(.enabled(if: getuid() != 0, "the rights of a folder do not bind root"))
    func aFolderThatCannotBeWrittenSaysSo() async throws {
        let mock = MockTransport([Stub(.get, "/a", .text("a"))])
        let replay = try ReplayTransport(cassette: file, over: mock, environment: ReplayEnvironment())
        _ = try await RecordCall("/a").text(replay)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
        let error = #expect(throws: NetError.self) { try replay.save() }
        #expect(error?.message.contains("tape.json: the file cannot be written") == true)
        #expect(error?.message.hasSuffix("check the folder and its permissions") == true)
    }

    #if os(Linux)
    @Test func aFileSystemThatCannotBeWrittenSaysSo() async throws {
        let mock = MockTransport([Stub(.get, "/a", .text("a"))])
        let replay = try ReplayTransport(
            cassette: "/proc/cassettes/tape.json", over: mock, environment: ReplayEnvironment())
        #expect(try await RecordCall("/a").text(replay) == "a")
        let error = #expect(throws: NetError.self) { try replay.save() }
        #expect(error?.message.contains("/proc/cassettes/tape.json: the file cannot be written") == true)
    }
    #endif

    @Test func aFileWhereAFolderShouldBeSaysSo() async throws {
        try Data("x".utf8).write(to: URL(filePath: folder.file("plain")))
        let mock = MockTransport([Stub(.get, "/a", .text("a"))])
        let replay = try ReplayTransport(
            cassette: folder.file("plain/tape.json"), over: mock, environment: ReplayEnvironment())
        _ = try await RecordCall("/a").text(replay)
        let error = #expect(throws: NetError.self) { try replay.save() }
        #expect(error?.message.hasSuffix("check the folder and its permissions") == true)
        #expect(try folder.text("plain") == "x")
    }
}

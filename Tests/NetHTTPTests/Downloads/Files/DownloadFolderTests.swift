import Foundation
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetHTTP

#if os(Linux)
/// The folder of a manager on a real disk.
@Suite(.timeLimit(.minutes(1))) struct DownloadFolderTests {
    private let scratch = ScratchFolder.path + "/folder-\(UUID().uuidString)"
    private var path: String { scratch + "/downloads" }
    private let clock = TestClock().netClock
    private let contents = Bytes("right".utf8)

    init() throws { try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true) }

    private func add(_ folder: DownloadFolder, _ bytes: Bytes? = nil) throws -> (id: UUID, part: PartFile) {
        let identity = DownloadIdentity(
            id: UUID(), url: "https://a.test/f?token=planted", createdAt: Date(timeIntervalSince1970: 0))
        try folder.create(identity)
        let part = try folder.part(identity.id, clock: clock)
        try part.begin(DownloadVersion(length: Int64((bytes ?? contents).count)))
        try part.write(bytes ?? contents, at: 0)
        return (identity.id, part)
    }

    private func mode(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) ?? -1
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
    private func write(_ text: String, _ path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test func aSecondManagerIsToldWhoHasTheFolder() throws {
        let first = try DownloadFolder.open(path)
        let error = #expect(throws: DownloadError.self) { try DownloadFolder.open(self.path) }
        #expect(error?.code == .folderInUse)
        #expect(error?.message.contains("(process \(getpid()))") == true, "\(error?.message ?? "")")
        first.close()
        try DownloadFolder.open(path).close()
        // The lock ends with its owner.
        do { _ = try DownloadFolder.open(path) }
        try DownloadFolder.open(path).close()
    }

    @Test func onlyTheOwnerMayReadWhatIsNotComplete() throws {
        let folder = try DownloadFolder.open(path)
        let (id, part) = try add(folder)
        let name = id.uuidString.lowercased()
        #expect(mode(path + "/.downloads") == 0o700)
        #expect(mode("\(path)/.downloads/\(name).journal") == 0o600)
        let file = try part.finish(named: "a.txt", modified: Date(timeIntervalSince1970: 86_400))
        #expect(file == path + "/a.txt")
        #expect(text(file) == "right")
        // Like any other new file.
        try write("", scratch + "/new")
        #expect(mode(file) == mode(scratch + "/new"))
        #expect(try folder.status(named: "a.txt", in: "")?.modified == 86_400_000_000_000)
        #expect(try folder.status(named: "b.txt", in: "") == nil)
        #expect(try folder.status(named: "a.txt", in: "none") == nil)
        // The file of the journal is kept, empty, for another task.
        let spare = path + "/.downloads/spare-0"
        #expect(text(spare)?.isEmpty == true)
        #expect(mode(spare) == 0o600)
        let (next, other) = try add(folder)
        #expect(text(spare) == nil)
        #expect(mode("\(path)/.downloads/\(next.uuidString.lowercased()).journal") == 0o600)
        try other.discard()
        folder.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/.downloads") == ["lock"])
    }

    @Test func aFileThatIsThereIsNumberedAroundReplacedOrKept() throws {
        let folder = try DownloadFolder.open(path)
        try write("older", path + "/a.txt")
        #expect(try add(folder).part.finish(named: "a.txt") == path + "/a (1).txt")
        #expect(try add(folder).part.finish(named: "a.txt") == path + "/a (2).txt")
        let (id, part) = try add(folder)
        let error = #expect(throws: DownloadError.self) { try part.finish(named: "a.txt", placing: .fail) }
        #expect(error?.code == .fileExists)
        #expect(text(path + "/a.txt") == "older")
        #expect(try folder.restore().map(\.identity.id) == [id])
        #expect(try part.finish(named: "a.txt", placing: .replace) == path + "/a.txt")
        #expect(text(path + "/a.txt") == "right")
        try FileManager.default.createDirectory(atPath: path + "/d", withIntermediateDirectories: true)
        let (_, other) = try add(folder)
        #expect(throws: DownloadError.self) { try other.finish(named: "d", placing: .replace) }
        #expect(try other.finish(named: "d") == path + "/d (1)")
    }

    @Test func linksAreNotFollowed() throws {
        let outside = scratch + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try write("victim", scratch + "/victim")
        let folder = try DownloadFolder.open(path)
        try link(path + "/sub", to: outside)
        try link(path + "/a.txt", to: scratch + "/victim")
        try link(path + "/b.txt", to: scratch + "/nowhere")
        let (_, part) = try add(folder)
        let error = #expect(throws: DownloadError.self) { try part.finish(named: "a.txt", in: "sub") }
        #expect(error?.code == .fileSystem)
        #expect(error?.message.contains("links aren't followed") == true)
        #expect(try part.finish(named: "a.txt") == path + "/a (1).txt")
        #expect(try add(folder).part.finish(named: "b.txt") == path + "/b (1).txt")
        // The link itself is replaced.
        #expect(try add(folder).part.finish(named: "a.txt", placing: .replace) == path + "/a.txt")
        #expect(text(path + "/a.txt") == "right")
        #expect(text(scratch + "/victim") == "victim")
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: scratch + "/nowhere"))
    }

    @Test func aPartFileThatBecameALinkIsStartedOver() throws {
        try write("victim", scratch + "/victim")
        let folder = try DownloadFolder.open(path)
        for isSymbolic in [true, false] {
            let (id, part) = try add(folder)
            try part.close()
            let file = "\(path)/.downloads/\(id.uuidString.lowercased()).part"
            try FileManager.default.removeItem(atPath: file)
            if isSymbolic {
                try link(file, to: scratch + "/victim")
            } else {
                try FileManager.default.linkItem(atPath: scratch + "/victim", toPath: file)
            }
            #expect(try folder.restore().map(\.received) == [0])
            let again = try folder.part(id, clock: clock)
            #expect(again.received.isEmpty)
            try again.begin(DownloadVersion(length: 5))
            try again.write(contents, at: 0)
            _ = try again.finish(named: "a")
            #expect(text(scratch + "/victim") == "victim")
        }
        #expect(text(path + "/a") == "right")
        #expect(text(path + "/a (1)") == "right")
    }

    @Test func journalsAndFoldersThatAreLinksAreNotUsed() throws {
        try write("victim", scratch + "/victim")
        let folder = try DownloadFolder.open(path)
        let (id, _) = try add(folder)
        let journal = "\(path)/.downloads/\(id.uuidString.lowercased()).journal"
        try FileManager.default.removeItem(atPath: journal)
        try link(journal, to: scratch + "/victim")
        #expect(throws: DownloadError.self) { try folder.part(id, clock: self.clock) }
        #expect(try folder.restore().isEmpty)
        #expect(text(scratch + "/victim") == "victim")
        folder.close()
        try FileManager.default.removeItem(atPath: path + "/.downloads")
        try FileManager.default.createDirectory(atPath: scratch + "/outside", withIntermediateDirectories: true)
        try link(path + "/.downloads", to: scratch + "/outside")
        let error = #expect(throws: DownloadError.self) { try DownloadFolder.open(self.path) }
        #expect(error?.code == .fileSystem)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch + "/outside").isEmpty)
    }

    @Test func orphanedAndDamagedFilesAreRemovedAndOthersKept() throws {
        let folder = try DownloadFolder.open(path)
        let (id, part) = try add(folder)
        try part.close()
        let hidden = path + "/.downloads/"
        let (orphan, damaged) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        for name in [
            "spare-4", "\(orphan).part", "\(damaged).journal", "\(damaged).part", "notes.txt", "x.part", "y.journal",
        ] {
            try write("NDJ", hidden + name)
        }
        #expect(try folder.restore().map(\.identity.id) == [id])
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: hidden))
        let own = id.uuidString.lowercased()
        #expect(names == ["lock", "\(own).part", "\(own).journal", "notes.txt", "x.part", "y.journal"])
    }

    @Test func tasksThatAreAddedMeanwhileAreLeftAlone() async throws {
        let folder = try DownloadFolder.open(path)
        try await withThrowingTaskGroup { group in
            group.addTask { for _ in 0..<100 { _ = try folder.restore() } }
            group.addTask {
                for count in 0..<100 {
                    let (id, part) = try add(folder)
                    if count % 2 == 0 { _ = try part.finish(named: "a") } else { try folder.remove(id) }
                    try add(folder).part.close()
                }
            }
            try await group.waitForAll()
        }
        let found = try folder.restore()
        #expect(found.count == 100)
        #expect(found.allSatisfy { $0.received == 5 })
    }

    @Test func aDownloadGoesOnInAFolderThatWasMoved() throws {
        let folder = try DownloadFolder.open(path)
        let (id, part) = try add(folder, Bytes("rig".utf8))
        part.setLength(5)
        try part.close()
        folder.close()
        try FileManager.default.moveItem(atPath: path, toPath: scratch + "/moved")
        let moved = try DownloadFolder.open(scratch + "/moved")
        #expect(try moved.restore().map(\.received) == [3])
        let again = try moved.part(id, clock: clock)
        try again.write(Bytes("ht".utf8), at: 3)
        #expect(try again.finish(named: "a") == scratch + "/moved/a")
        #expect(text(scratch + "/moved/a") == "right")
    }

    @Test func thePartFileThatWasShortenedIsReceivedAgainFromThere() throws {
        let folder = try DownloadFolder.open(path)
        let (id, part) = try add(folder)
        try part.close()
        truncate("\(path)/.downloads/\(id.uuidString.lowercased()).part", 2)
        #expect(try folder.restore().map(\.received) == [2])
        _ = try folder.part(id, clock: clock)
        // The journal reflects that immediately: the bytes that fill the hole don't count.
        truncate("\(path)/.downloads/\(id.uuidString.lowercased()).part", 5)
        #expect(try folder.part(id, clock: clock).received.ranges == [0..<2])
    }

    @Test func aPathThatCannotBeAFolderIsAnError() throws {
        try write("", scratch + "/file")
        for path in [scratch + "/file", scratch + "/file/a", "/proc/none", "a\0b"] {
            let error = #expect(throws: DownloadError.self) { try DownloadFolder.open(path) }
            #expect(error?.code == .fileSystem)
        }
    }

    @Test func theFreeRoomIsThatOfTheDisk() throws {
        let folder = try DownloadFolder.open(path)
        let values = try FileManager.default.attributesOfFileSystem(forPath: path)
        let free = try #require(values[.systemFreeSize] as? Int64)
        #expect(abs(try folder.freeBytes() - free) < 1 << 30)
    }

    @Test func hostileNamesStayInTheFolderAndOverwriteNothing() throws {
        let canary = scratch + "/canary"
        try write("canary", canary)
        let folder = try DownloadFolder.open(path)
        var random = SmallRandom(seed: 9)
        let pieces = [
            "../", "..\\", "/", "/etc/passwd", "\0", "a", ".", "-", " ", "\u{202e}gpj", "con", "nul.txt", ":", "é",
            "%2e%2e%2f",
            "\n", "*", "~", "$HOME", "`id`", ";", String(repeating: "x", count: 150), "👩‍👩‍👧", "\u{301}", "../../canary",
            ".downloads",
            "lock", "\u{feff}",
        ]
        var names: Set<String> = []
        for count in 0..<200 {
            let said = (0..<(1 + random.below(5))).map { _ in pieces[random.below(pieces.count)] }.joined()
            let name = DownloadName.choose(
                disposition: count % 2 == 0 ? ContentDisposition(kind: "attachment", filename: said) : nil,
                url: "https://a.test/" + said, id: UUID())
            // A link is created there while the file is received.
            let (_, part) = try add(folder)
            if count % 3 == 0, !FileManager.default.fileExists(atPath: path + "/" + name) {
                try? link(path + "/" + name, to: canary)
            }
            let placed = try part.finish(named: name)
            #expect(text(placed) == "right")
            #expect(names.insert(placed).inserted)
            #expect(placed.hasPrefix(path + "/"))
            #expect(!placed.dropFirst(path.count + 1).contains("/"))
        }
        #expect(text(canary) == "canary")
        #expect(names.count == 200)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: scratch)) == ["canary", "downloads"])
        folder.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/.downloads") == ["lock"])
    }

    @Test func theUsersFolderIsThatOfXDG() {
        func folder(_ variable: String?, _ file: String = "") -> String {
            UserFolders.downloads(variable: variable, file: file, home: "/home/a")
        }
        #expect(folder(nil) == "/home/a/Downloads")
        #expect(folder("/data/dl/") == "/data/dl")
        #expect(folder("$HOME/dl") == "/home/a/dl")
        #expect(folder("relative") == "/home/a/Downloads")
        let file = "# comment\nXDG_DESKTOP_DIR=\"$HOME/Desktop\"\nXDG_DOWNLOAD_DIR=\"$HOME/T\u{e9}l\u{e9}\"\n"
        #expect(folder(nil, file) == "/home/a/T\u{e9}l\u{e9}")
        #expect(folder("/x", file) == "/x")
        for wrong in ["XDG_DOWNLOAD_DIR=x", "XDG_DOWNLOAD_DIR=\"x\"", "XDG_DOWNLOAD_DIR=\"", "=", "XDG_DOWNLOAD_DIR"] {
            #expect(folder(nil, wrong) == "/home/a/Downloads")
        }
        #expect(folder(nil, "XDG_DOWNLOAD_DIR=\"$HOME/\"") == "/home/a")
        #expect(UserFolders.downloads.hasPrefix("/"))
    }
}
#endif

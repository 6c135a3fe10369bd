#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore

/// `export har`, `export store` and `import har`, run as programs.
struct ExportCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) throws -> Command {
        try Command.run(
            Command.product("net-activity"), arguments, environment: ["XDG_STATE_HOME": folder.file("state")])
    }

    private func makeFile() async throws {
        let store = try ActivityStore(at: folder.file())
        let body = CaptureContent.Body(bytes: Bytes("hello".utf8), size: 5, isCut: false, type: "text/plain")
        store.record(
            PendingCapture(
                Events.id(0), number: 1, status: 200, responseHeaders: "content-type: text/plain", response: body))
        for event in Events.socket(2) { store.record(event) }
        try await store.write(
            Events.call(0), Events.call(1, status: 404, outcome: .rejected(status: 404, responseBytes: 3)))
        try await store.close()
    }

    @Test func `HAR goes out to a file or to standard output, and comes in once`() async throws {
        try await makeFile()
        let har = folder.file("a.har.gz")
        let written = try run("export", "har", folder.file(), "-o", har, "--json")
        #expect(written.exitCode == 0, "\(written.output)\(written.errors)")
        #expect(written.output.contains(#""entries":3"#), "\(written.output)\(written.errors)")
        let text = try run("export", "har", "--file", folder.file(), "~c 404", "-o", "-")
        #expect(text.output.hasPrefix("{\n  \"log\""))
        #expect(text.output.contains("\"status\": 404"))
        #expect(!text.output.contains("hello"))
        #expect(text.errors == "")
        let added = try run("import", "har", har, "-o", folder.file("b.sqlite"))
        #expect(added.exitCode == 0, "\(added.output)\(added.errors)")
        #expect(added.output.contains("2 calls, 1 WebSockets"), "\(added.output)\(added.errors)")
        #expect(added.errors.contains("--pin"))
        let again = try run("import", "har", har, "--file", folder.file("b.sqlite"), "--json")
        #expect(again.output.contains(#""alreadyStored":3,"calls":0"#), "\(again.output)")
        #expect(try run("list", folder.file("b.sqlite"), "~bs hello", "--json").lines.count == 1)
        // Creates the store at the default path.
        #expect(try run("import", "har", har, "--pin").errors == "")
        #expect(try run("list", "~marked", "--json").lines.count == 3)
    }

    @Test func `a slice is a file that every command reads`() async throws {
        try await makeFile()
        let slice = folder.file("slice.sqlite")
        let written = try run("export", "store", folder.file(), "~c 404", "-o", slice)
        #expect(written.exitCode == 0, "\(written.output)\(written.errors)")
        #expect(written.output.contains("1 entry"), "\(written.output)\(written.errors)")
        for command in [["list"], ["stats"], ["search", "items"], ["show"], ["prune"]] {
            let id = Events.id(1).description
            let arguments =
                command == ["search", "items"] ? ["search", "--file", slice, "items"] : [command[0], slice]
            let result = try Command.run(
                Command.product("net-activity"), arguments + (command == ["show"] ? [id] : []))
            #expect(result.exitCode == 0, "\(command): \(result.errors)")
        }
        #expect(try run("export", "store", folder.file(), "-o", slice).exitCode == 3)
    }

    @Test func `each kind of mistake has its exit code`() async throws {
        try await makeFile()
        #expect(try run("export", "har", folder.file(), "~d nowhere", "-o", folder.file("x.har")).exitCode == 1)
        #expect(try run("export", "store", folder.file(), "~d nowhere", "-o", folder.file("x.sqlite")).exitCode == 1)
        #expect(try run("export", "har", folder.file(), "~wrong").exitCode == 2)
        #expect(try run("export", "har", folder.file(), "--limit", "0").exitCode == 2)
        #expect(try run("export", "har", folder.file("missing.sqlite")).exitCode == 3)
        #expect(try run("export", "har", folder.file(), "-o", folder.file("no/x.har")).exitCode == 3)
        try Data("{".utf8).write(to: URL(filePath: folder.file("bad.har")))
        let bad = try run("import", "har", folder.file("bad.har"), "-o", folder.file("new.sqlite"))
        #expect(bad.exitCode == 3, "\(bad.errors)")
        #expect(bad.errors.contains("line 1"), "\(bad.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("new.sqlite")))
        #expect(try run("import", "har", folder.file("missing.har")).exitCode == 3)
    }
}
#endif

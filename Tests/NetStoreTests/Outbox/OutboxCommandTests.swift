#if Tools
import Foundation
import HTTPTypes
import NetCore
import NetTesting
import Testing

@testable import NetStore

/// `net-activity outbox`.
@Suite(.timeLimit(.minutes(5)))
struct OutboxCommandTests {
    private let folder: TemporaryFolder
    private var file: String { folder.file("outbox.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) throws -> Command {
        try Command.run(Command.product("net-activity"), ["outbox"] + arguments)
    }

    /// Creates a file with a completed item, a parked one with a response, and one behind it.
    private func makeFile() async throws {
        let peer = try OutboxPeer(folder: folder) { received, _ in
            guard received.body == "bad" else { return StubResponse() }
            var response = StubResponse.json(["error": "no \u{1b}[31msuch item", "password": "s3cret"])
            response.status = .badRequest
            return response
        }
        try await peer.add("first")
        try await peer.add("bad", key: "customer \u{1b}]0;t\u{7}")
        try await peer.add(
            "s3cret body", to: "a/very/long/path/\(String(repeating: "x", count: 200))", key: "customer \u{1b}]0;t\u{7}"
        )
        try await peer.sending { try await peer.outbox.waitUntilIdle() }
        await peer.outbox.close()
    }

    private func expectPlain(_ command: Command) {
        #expect(command.exitCode == 0, "\(command.errors)")
        for line in command.lines {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }, "\(line)")
            #expect(line.count <= 100, "\(line)")
        }
        #expect(!command.output.contains("s3cret"))
    }

    @Test func `list shows items in their order`() async throws {
        try await makeFile()
        let list = try run("list", file)
        expectPlain(list)
        try #require(list.lines.count == 4)
        #expect(list.lines[0].hasPrefix("ID  STATE"))
        #expect(list.lines[1].contains("completed"))
        #expect(list.lines[2].contains("parked"))
        #expect(list.lines[2].contains("400"))
        let parked = try run("list", file, "--state", "parked", "--json")
        #expect(parked.lines.count == 1)
        #expect(parked.output.contains("\"parkReason\":\"refused\""))
        #expect(try run("list", file, "--state", "waiting").exitCode == 1)
        #expect(try run("list", file, "--state", "lost").exitCode == 2)
        #expect(try run("list", file, "--limit", "0").exitCode == 2)
        #expect(try run("list", file, "--after", "2").lines.count == 2)
    }

    @Test func `show shows an item and its answer`() async throws {
        try await makeFile()
        let show = try run("show", file, "2")
        expectPlain(show)
        for text in ["parked (refused)", "POST /orders", "400", "--body shows them", "Content-Type: application/json"] {
            #expect(show.output.localizedCaseInsensitiveContains(text), "\(text) in \(show.output)")
        }
        let whole = try run("show", file, "2", "--body")
        #expect(whole.output.contains("such item"))
        #expect(!whole.output.contains("s3cret"))
        #expect(try run("show", file, "2", "--json").output.contains("\"status\":400"))
        let unknown = try run("show", file, "99")
        #expect(unknown.exitCode == 1)
        #expect(unknown.errors.contains("no item 99"))
        #expect(try run("show", file, "x").exitCode == 2)
    }

    @Test func `retry and drop change items`() async throws {
        try await makeFile()
        #expect(try run("retry", file, "2").output == "Item 2 will be sent.\n")
        #expect(try run("list", file, "--state", "queued").lines.count == 3)
        #expect(try run("drop", file, "3").output == "Item 3 was dropped.\n")
        let again = try run("drop", file, "3")
        #expect(again.exitCode == 1)
        #expect(again.errors.contains("completed or dropped"))
        #expect(try run("retry", file, "99").exitCode == 1)
    }

    @Test func `a file that isn't an outbox is an error, and never made`() async throws {
        for command in ["list", "show", "retry", "drop"] {
            let arguments = command == "list" ? [file] : [file, "1"]
            let missing = try Command.run(Command.product("net-activity"), ["outbox", command] + arguments)
            #expect(missing.exitCode == 3)
            #expect(missing.errors.contains("no such file"))
        }
        #expect(!FileManager.default.fileExists(atPath: file))
        try await ActivityStore(path: file).close()
        let store = try run("list", file)
        #expect(store.exitCode == 3)
        #expect(store.errors.contains("is an activity store"))
    }
}
#endif

#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore

/// Files with malicious texts.
@Suite(.timeLimit(.minutes(2)))
struct HostileStoreTests {
    private static let text =
        "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred\u{9b}31m\u{202e}txt.exe\u{2066}\u{61c}\u{200b}\u{feff}\u{85}\u{2028}a\u{2029}b\u{7f}"
    /// The maximum duration of a command, unoptimized on a busy machine.
    private static let patience = Duration.seconds(60)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws -> Command {
        let clock = ContinuousClock()
        let start = clock.now
        let command = try Command.run(Command.product("net-activity"), arguments)
        let time = clock.now - start
        #expect(time < Self.patience, "\(arguments) took \(time)")
        let steering = "[[\\p{Cc}\\p{Cf}\\u2028\\u2029]&&[^\\n]]"
        for text in [command.output, command.errors] where !text.utf8.allSatisfy({ $0 == 10 || $0 >= 32 && $0 < 127 }) {
            let found = text.range(of: steering, options: .regularExpression)
            #expect(found == nil, "\(arguments)")
        }
        return command
    }

    private func expectJSON(_ command: Command, count: Int) throws {
        #expect(command.lines.count == count)
        for line in command.lines {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
    }

    /// Creates a file with a call that has the text in every place, a failed call, a WebSocket with the text in a
    /// message, and a line of a log.
    private func makeFile() async throws {
        let store = try ActivityStore(at: folder.file())
        let line = Self.text
        let json = #"{"lone":"\ud800 \udc00","text":""# + line + #""}"#
        store.record(
            PendingCapture(
                Events.id(0), number: 1, status: 200, requestHeaders: "x-one: \(line)",
                responseHeaders: "\(line): \(line)",
                request: .init(bytes: Bytes(json.utf8), size: 100, isCut: false, type: "application/json"),
                response: .init(bytes: Bytes([0xed, 0xa0, 0x80, 0x1b]), size: 4, isCut: false, type: "text/plain")))
        let failure = NetError(.tls, phase: .securing, message: line)
        try await store.write(
            Events.call(0, operation: line, url: "https://\(line).example.com/\(line)?q=\(line)"),
            Events.call(1, operation: line, url: "https://h/\(line)", outcome: .failed(failure)))
        for event in Events.socket(2) { store.record(event) }
        store.record(
            PendingMessage(Events.id(2), number: 1, occurredAt: 0, isSent: true, kind: .text, size: 5) { .text(line) })
        try await store.flush()
        try await store.close()
    }

    @Test func nothingSteersTheTerminal() async throws {
        try await makeFile()
        let file = folder.file()
        for command in [["list"], ["stats"], ["stats", "--by", "host"], ["doctor"], ["tail", "--count", "3"]] {
            #expect(try run([command[0], file] + command.dropFirst()).exitCode == 0, "\(command)")
        }
        #expect(try run(["search", file, "example"]).exitCode == 0)
        for number in 0...2 {
            #expect(try run(["show", file, Events.id(number).description, "--all"]).exitCode == 0)
        }
        #expect(try run(["show", file, Events.id(0).description]).output.contains(#"\ud800 \udc00"#))
        let curl = try run(["curl", file, Events.id(0).description])
        #expect(curl.exitCode == 0, "\(curl.output)")
        #expect(curl.output.contains(#"'$'\x1b''"#), "\(curl.output)")
        try expectJSON(run(["list", file, "--json"]), count: 3)
        try expectJSON(run(["search", file, "example", "--json"]), count: 2)
        try expectJSON(run(["tail", file, "--count", "3", "--json"]), count: 3)
        #expect(try run(["doctor", file, "--json"]).lines.count > 0)
        // Words of the command line appear in error messages.
        for arguments in [
            ["list", file, "~c \u{1b}[31m"], ["show", file, Self.text + "nobody"], ["prune", file, Self.text],
        ] {
            #expect(try run(arguments).exitCode != 0)
        }
    }

    @Test func aDamagedFileSaysNothingOfItsOwn() async throws {
        try await makeFile()
        try Command.changeWithSQLite(
            folder.file(),
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE TABLE nonsense (' || char(27) || '[31m', name = char(27) || '[31m'
                WHERE name = 'net_item'
            """)
        let list = try run(["list", folder.file()])
        #expect(list.exitCode == 3)
        #expect(!list.errors.isEmpty)
        #expect(list.output.isEmpty)
    }

    @Test func tenMegabytesOnALineTakeNoSeconds() async throws {
        let store = try ActivityStore(at: folder.file())
        let big = String(repeating: "0123456789", count: 1 << 20)
        store.record(PendingCapture(Events.id(0), number: 1, status: 200, requestHeaders: "x: y"))
        store.record(PendingCapture(Events.id(1), number: 1, status: 200, requestHeaders: "x: y"))
        try await store.write(Events.call(0), Events.call(1))
        try await store.close()
        // No writer of this library keeps this much, but another program may.
        let connection = try SQLiteConnection(path: folder.file(), access: .readWrite, busyTimeout: .seconds(1))
        let (first, second) = (SQLiteValue.blob(Events.id(0).bytes), SQLiteValue.blob(Events.id(1).bytes))
        let url = "UPDATE net_item SET url = 'https://h.example.com/' || ?1 WHERE uid = ?2"
        try connection.run(url, [.text(big), first])
        let fields = "UPDATE net_capture SET request_fields = 'x-big: ' || ?1, request_body = "
        try connection.run(
            "INSERT INTO net_body (hash, uses, size, is_compressed, data) VALUES (x'00', 1, ?2, 0, CAST(?1 AS BLOB))",
            [.text(big), .integer(Int64(big.utf8.count))])
        try connection.run(fields + "(SELECT max(id) FROM net_body) WHERE call = ?2", [.text(big), first])
        // Smaller, because a debug build writes a command of three times its size.
        try connection.run(url, [.text(String(big.prefix(1 << 20))), second])
        try connection.run(fields + "NULL WHERE call = ?2", [.text(String(big.prefix(1 << 20))), second])
        connection.close()
        let (file, id) = (folder.file(), Events.id(0).description)
        for command in ["list", "doctor"] { #expect(try run([command, file]).exitCode <= 1) }
        #expect(try run(["tail", file, "--count", "2"]).output.utf8.count < 300)
        let show = try run(["show", file, id])
        #expect(show.output.utf8.count < 20_000)
        #expect(show.output.contains("and more, 10.5 MB in total"))
        #expect(try run(["curl", file, Events.id(1).description]).output.utf8.count > 2 << 20)
        try expectJSON(run(["list", file, "--json"]), count: 2)
    }
}
#endif

import Foundation
import NetCompression
import NetCore
import Testing

@testable import NetStore

/// HAR files of other programs, and files that aren't HAR.
@Suite(.timeLimit(.minutes(5)))
struct HARImportTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store() throws -> ActivityStore { try ActivityStore(at: folder.file("store.sqlite")) }

    private func file(_ text: String, _ name: String = "a.har") throws -> String {
        try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
    }

    private static func entry(
        date: String = #""2026-01-01T00:00:00.123Z""#, request: String = #""method":"GET","url":"https://a.test/""#,
        response: String = #""status":200"#, rest: String = ""
    ) -> String {
        #"{"startedDateTime":\#(date),"request":{\#(request)},"response":{\#(response)}\#(rest)}"#
    }

    private static func har(_ entries: String...) -> String {
        #"{"log":{"version":"1.2","creator":{"name":"Test","version":"7"},"entries":[\#(entries.joined(separator: ",\n"))]}}"#
    }

    @Test(arguments: [("chrome.har", 6, 1, "WebInspector"), ("firefox.har", 5, 0, "Firefox")])
    func `a browser's file comes in with its dates, phases and messages`(
        _ name: String, _ calls: Int, _ sockets: Int, _ creator: String
    ) async throws {
        let store = try store()
        let path = Self.root.appending(path: "Fixtures/har/\(name)").path
        let added = try await store.importHAR(at: path)
        #expect(added.calls == calls)
        #expect(added.sockets == sockets)
        #expect(added.alreadyStored == 0)
        #expect(try await store.importHAR(at: path).alreadyStored == calls)
        #expect(try await store.count() == calls + sockets)
        let run = try #require(try await store.runs().first)
        #expect(run.process == creator)
        #expect(run.id == added.run)
        #expect(run.state == .ended)
        let items = try await store.items()
        #expect(Set(items.map(\.run)) == [run.id])
        let first = try #require(items.last)
        let detail = try #require(try await store.item(id: first.id))
        #expect(detail.attempts.first?.phases.waiting != nil)
        #expect(first.host == "shop.test")
        #expect(detail.exchanges.first?.response?.bytes.isEmpty == false)
        try await store.close()
    }

    @Test func `secrets are hidden on the way in`() async throws {
        let store = try store()
        let text = Self.har(
            Self.entry(
                request: #"""
                    "method":"POST","url":"https://u:pl4nted@a.test/?access_token=pl4nted","headers":[
                    {"name":"Authorization","value":"Bearer pl4nted-secret"},{"name":"X","value":"1"}],
                    "postData":{"mimeType":"application/json","text":"{\"password\":\"pl4nted\"}"}
                    """#,
                response: #""status":200,"content":{"mimeType":"application/json","text":"{\"token\":\"pl4nted\"}"}"#,
                rest: #"""
                    ,"_webSocketMessages":[{"type":"send","time":1767225601,"opcode":1,"data":"{\"token\":\"pl4nted\"}"},
                    {"type":"receive","time":1767225602,"opcode":1,"data":"you said pl4nted-secret"}]
                    """#))
        try await store.importHAR(at: try file(text))
        try await store.close()
        let bytes = try Data(contentsOf: URL(filePath: folder.file("store.sqlite")))
        #expect(bytes.range(of: Data("pl4nted".utf8)) == nil)
        #expect(bytes.range(of: Data("a.test".utf8)) != nil)
    }

    @Test(arguments: [
        ("", "the file ends"), ("{}", "no list log.entries"), ("[]", "no list log.entries"), ("nonsense", "line 1"),
        (#"{"log":{"version":"2.0","entries":[]}}"#, "HAR 2.0"), (#"{"log":{"entries":{}}}"#, "no list"),
        (har(entry(), entry(date: "7")), "line 2, column 20: log.entries[1].startedDateTime"),
        (har(entry(date: #""yesterday""#)), "entries[0].startedDateTime: expected a date"),
        (har(entry(request: #""url":"x""#)), "\"method\" is missing"),
        (har(entry(request: #""method":"G T","url":"x""#)), "isn't an HTTP method"),
        (har(entry(response: #""status":1e99"#)), "three digits"),
        (har(entry(response: #""status":"2oo""#)), "three digits"),
        (har(entry(response: #""status":-2"#)), "three digits"), (har(entry(), "7"), "entries[1]"),
        (har(entry(response: #""status":200,"content":{"encoding":"base64","text":"%%%="}"#)), "base64"),
        (har(entry(rest: #","_webSocketMessages":[{"type":"up","data":""}]"#)), "\"send\" or \"receive\""),
        (har(entry(rest: #","_webSocketMessages":[{"type":"send","opcode":77,"data":""}]"#)), "opcode"),
        (har(entry(rest: #","_netActivity":{"version":1,"call":"x","number":1,"entries":1}"#)), "isn't an ID"),
        (har(entry(rest: #","_netActivity":{"version":1,"call":7}"#)), "that a store writes"),
        (har(entry(response: #""status":200,"content":{"_file":"../../etc/passwd"}"#)), "must name a file"),
        (har(entry(response: #""status":1e999"#)), "too large"),
        (#"{"log":{"entries":["# + String(repeating: "[", count: 100_000), "nested too deeply"),
    ])
    func `a bad entry is named, and nothing comes in`(_ text: String, _ problem: String) async throws {
        let store = try store()
        let path = try file(text)
        do throws(StoreError) {
            try await store.importHAR(at: path, isStrict: true)
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.code == .invalidImport)
            #expect(error.path == path)
            #expect(error.message.contains(problem), "\(error.message)")
        }
        #expect(try await store.count() == 0)
        #expect(try await store.runs().count == 1)
        try await store.close()
    }

    @Test func `odd values come in bounded`() async throws {
        let store = try store()
        let added = try await store.importHAR(
            at: try file(
                Self.har(
                    Self.entry(date: #""0000-01-01T00:00:00Z""#), Self.entry(date: #""9999-12-31T23:59:59Z""#),
                    Self.entry(rest: #","time":1e12,"timings":{"wait":-7,"receive":9e12,"blocked":1e300}"#),
                    Self.entry(
                        response: #""status":200,"bodySize":-5,"content":{"size":9e18,"mimeType":"a/b"}"#,
                        rest: #","time":-3"#),
                    Self.entry(response: #""status":200,"bodySize":9e18,"content":{"size":1e300}"#),
                    Self.entry(response: #""status":-1,"_failureText":"net::ERR_FAILED""#),
                    Self.entry(
                        response: "\"status\":200,\"content\":{\"text\":\"\\ud800 \\u0000 \\u202e\"}",
                        rest: #","unknown":{"a":[1]},"comment":"c""#))))
        #expect(added.calls == 7)
        let items = try await store.items()
        #expect(items.contains { $0.comment == "c" })
        #expect(items.contains { $0.outcome == .failed })
        // The sums of the statistics don't overflow.
        #expect(try await store.statistics().first?.calls == 7)
        #expect(try await store.statistics(exact: true).first?.calls == 7)
        try await store.writeHAR(to: folder.file("b.har"))
        try await store.close()
        let other = try ActivityStore(at: folder.file("other.sqlite"))
        #expect(try await other.importHAR(at: folder.file("b.har")).calls == 7)
        try await other.close()
    }

    @Test func `archives, bombs and long files are refused`() async throws {
        let store = try store()
        func problem(_ path: String, maximumBytes: Int = 512 << 20) async -> String {
            do throws(StoreError) {
                try await store.importHAR(at: path, maximumBytes: maximumBytes)
                return ""
            } catch {
                return error.message
            }
        }
        #expect(await problem(try file("PK\u{3}\u{4}…")).contains("zip archive"))
        #expect(await problem(folder.file("missing.har")).contains("no such file"))
        #expect(await problem(folder.path).contains("isn't a regular file"))
        #expect(await problem(try file(Self.har(Self.entry())), maximumBytes: 100).contains("more than 100 bytes"))
        guard var deflater = Deflater(level: 9) else {
            Issue.record("there is no zlib")
            return
        }
        let zeros = Bytes([UInt8](repeating: 0x20, count: 1 << 20))
        var bomb = Data()
        for index in 0..<40 { bomb += deflater.encode(zeros, isLast: index == 39).data }
        try bomb.write(to: URL(filePath: folder.file("bomb.har.gz")))
        #expect(await problem(folder.file("bomb.har.gz"), maximumBytes: 8 << 20).contains("decompress"))
        #expect(await problem(folder.file("bomb.har.gz")).contains("bomb"))
        try bomb.prefix(bomb.count / 2).write(to: URL(filePath: folder.file("half.har.gz")))
        #expect(await problem(folder.file("half.har.gz")) != "")
        try await store.close()
    }

    @Test func `old entries expire unless they are pinned`() async throws {
        // Pruned only on request of the test.
        let store = try ActivityStore(
            path: folder.file("store.sqlite"), configuration: .init(pruneInterval: .seconds(1 << 40)))
        let path = try file(Self.har(Self.entry(date: #""2001-01-01T00:00:00Z""#)))
        #expect(try await store.importHAR(at: path).expiring == 1)
        #expect(try await store.prune() == 1)
        #expect(try await store.importHAR(at: path, pins: true).expiring == 0)
        #expect(try await store.prune() == 0)
        #expect(try await store.items().first?.isPinned == true)
        try await store.close()
    }

    @Test func `bodies in files beside the HAR come in`() async throws {
        let store = try store()
        _ = try file("the body", "abc.txt")
        let text = Self.har(Self.entry(response: #""status":200,"content":{"size":-1,"_file":"abc.txt"}"#))
        try await store.importHAR(at: try file(text))
        let id = try #require(try await store.items().first?.id)
        let body = try await store.item(id: id)?.exchanges.first?.response
        #expect(body?.bytes == Bytes("the body".utf8))
        #expect(body?.isCut == false)
        try await store.close()
    }

    /// An import of any file ends, and adds everything or nothing.
    @Test func `mutated files never harm the store`() async throws {
        let store = try store()
        let sample = Self.root.appending(path: "Fixtures/har/chrome.har")
        let own = try ActivityStore(at: folder.file("own.sqlite"))
        try await HARSample.fill(own)
        try await own.writeHAR(to: folder.file("own.har"), matching: ActivityFilter("~m get"), limit: 3)
        try await own.close()
        let seeds = [
            Array(try Data(contentsOf: sample)), Array(try Data(contentsOf: URL(filePath: folder.file("own.har")))),
        ]
        let pieces = ["null", "-1", "1e308", "[]", "{}", "\"\"", "\"\\ud800\"", "9223372036854775807", "true", "\u{0}"]
        var random = SeededNumbers(1)
        var (added, refused) = (0, 0)
        for round in 0..<200 {
            var bytes = seeds[round % 2]
            if random.once(in: 2) {
                // Still valid JSON most of the time.
                let places = bytes.indices.filter { bytes[$0] >= 0x30 && bytes[$0] <= 0x39 }
                for _ in 0..<3 { bytes[random.one(of: places)] = UInt8.random(in: 0x31...0x39, using: &random) }
            } else {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0..<8, using: &random))
                bytes.replaceSubrange(start..<end, with: Array(random.one(of: pieces).utf8))
            }
            try Data(bytes).write(to: URL(filePath: folder.file("m.har")))
            let before = try await store.count()
            do throws(StoreError) {
                let result = try await store.importHAR(at: folder.file("m.har"))
                #expect(try await store.count() == before + result.calls + result.sockets)
                added += 1
            } catch {
                #expect(error.code == .invalidImport, "\(error)")
                #expect(try await store.count() == before)
                refused += 1
            }
        }
        #expect(added > 20)
        #expect(refused > 20)
        #expect(try await store.statistics().first?.calls ?? 0 > 0)
        try await store.close()
    }
}

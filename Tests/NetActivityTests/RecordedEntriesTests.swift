#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore
@testable import net_activity

/// Reports on files that no store has written.
struct RecordedEntriesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func path(_ name: String) -> String { root.appending(path: name).path }

    private func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
        return folder.file(name)
    }

    @Test func aBrowsersHARBecomesCallsWithTheirPhases() throws {
        let entries = try RecordedEntries(path: Self.path("Fixtures/har/chrome.har")).entries
        try #require(entries.map(\.item.kind) == [.call, .call, .call, .call, .socket, .call, .call])
        let first = try #require(entries.first)
        #expect(first.item.url == "https://shop.test/items?page=2&tag=a%20b")
        #expect(first.item.host == "shop.test")
        #expect(first.item.status == 200)
        #expect(first.item.outcome == .completed)
        #expect(first.item.duration == .microseconds(41_275))
        #expect(first.item.remoteAddress == "[::1]")
        let attempt = try #require(first.attempts.first)
        #expect(attempt.phases.queued == .microseconds(2100))
        #expect(attempt.phases.sending == .microseconds(250))
        #expect(attempt.phases.waiting == .microseconds(38_500))
        #expect(attempt.phases.download == .microseconds(420))
        #expect(attempt.phases.lookup == nil)
        #expect(entries[2].item.outcome == .failed)
        #expect(entries[2].item.status == nil)
        #expect(entries[4].item.uid == entries[3].item.uid)
        #expect(entries[4].item.outcome == .completed)
        #expect(entries[4].messages.count > 1)
        #expect(entries[4].messages.map(\.number) == Array(1...entries[4].messages.count))
        #expect(Set(entries.map(\.item.uid)).count == 6)
    }

    @Test func theHandshakeOfTLSIsntCountedTwice() throws {
        let path = try write(
            #"""
            {"log":{"version":"1.2","entries":[{"startedDateTime":"2026-01-01T00:00:00Z","time":60,
            "request":{"method":"GET","url":"https://a.test/?access_token=planted-secret","headers":
            [{"name":"Authorization","value":"Bearer planted-secret"}]},
            "response":{"status":500,"headers":[{"name":"Content-Type","value":"application/json; charset=utf-8"}],
            "content":{"mimeType":"application/json","text":"{\"token\":\"planted-secret\"}"}},
            "timings":{"blocked":1,"dns":2,"connect":30,"ssl":20,"send":1,"wait":20,"receive":6}}]}}
            """#, "a.har")
        let entries = try RecordedEntries(path: path).entries
        let entry = try #require(entries.first)
        #expect(entry.attempts.first?.phases.connect == .milliseconds(10))
        #expect(entry.attempts.first?.phases.secure == .milliseconds(20))
        #expect(entry.item.outcome == .rejected)
        #expect(entry.item.responseType == "application/json")
        // A file saved by a browser hasn't been redacted.
        var builder = ReportBuilder(title: "a", now: Date())
        builder.add(entries, matching: .all, limit: 10)
        #expect(!"\(entry)".contains("planted-secret"))
        #expect(builder.count == 1)
        #expect(entry.exchanges.first?.requestHeaders.first?.value.contains("<redacted>") == true)
    }

    @Test func aCassetteIsReadToo() throws {
        let path = Self.path("Tests/NetTestTraitsTests/Cassettes/ada.json")
        guard case .cassette = try InputFile(of: path) else { return #expect(Bool(false), "no recording") }
        let entries = try RecordedEntries(path: path, .cassette).entries
        #expect(!entries.isEmpty)
        #expect(entries.allSatisfy { $0.item.status != nil && $0.exchanges.count == 1 })
    }

    @Test func theViolationsOfAContractAreFindings() throws {
        let path = try write(
            #"""
            {"contract":"users","passed":false,"forgotten":0,"expectations":["get-user","a \"b\" *"],
            "matches":[{"expectation":"get-user","request":"GET /users/7?x=1","at":"2026-01-01T00:00:00Z"}],
            "violations":[{"kind":"mismatch","expectation":"a \"b\" *","request":"POST /orders/7",
            "at":"2026-01-01T00:00:01Z","differences":[{"field":"header.X","expected":"\"a\"","actual":"\"b\""}]}],
            "startedAt":"2026-01-01T00:00:00Z"}
            """#, "contract.json")
        guard case .contract = try InputFile(of: path) else { return #expect(Bool(false), "no contract") }
        let contract = try ContractEntries(path: path)
        let entries = contract.entries
        try #require(entries.map(\.item.method) == ["GET", "POST"])
        #expect(entries.map(\.item.url) == ["/users/7?x=1", "/orders/7"])
        #expect(entries[1].item.failure?.message == #"header.X: expected "a", actual "b""#)
        let finding = try #require(contract.findings.first)
        let filter = try ActivityFilter(finding.filter)
        #expect(entries.map { filter.matches($0.item, now: Date()) } == [false, true], "\(finding.filter)")
    }

    @Test func aFilterReadsHeadersAndBodiesAndTheNewestComeFirst() throws {
        let entries = try RecordedEntries(path: Self.path("Fixtures/har/chrome.har")).entries
        func count(_ expression: String, limit: Int = 100) throws -> (Int, Int) {
            var builder = ReportBuilder(title: "a", now: Date())
            builder.add(entries, matching: try ActivityFilter(expression), limit: limit)
            return (builder.count, builder.list.omitted)
        }
        #expect(try count("~bq user=ada") == (1, 0))
        #expect(try count("~hq content-type") == (1, 0))
        #expect(try count("~websocket") == (1, 0))
        #expect(try count("~d shop.test", limit: 2) == (2, 4))
    }

    @Test func aStoreIsToldByItsContent() throws {
        guard case .store = try InputFile(of: try write("SQLite format 3\0{", "a.json")) else {
            return #expect(Bool(false), "no store")
        }
        guard case .store = try InputFile(of: folder.file("missing")) else { return #expect(Bool(false), "no store") }
        #expect(throws: (any Error).self) { try InputFile(of: try write("{\"a\":", "b.json")) }
    }
}
#endif

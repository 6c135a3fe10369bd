import Foundation
import NetCompression
import NetCore
import Testing

@testable import NetStore

/// The entries that match each term.
@Suite struct FilterMatchingTests {
    private let now = Date(timeIntervalSince1970: 1_795_000_000)

    private func item(_ kind: StoredItem.Kind = .call, _ change: (inout StoredItem) -> Void = { _ in }) -> StoredItem {
        var item = StoredItem(id: 1, uid: CallID(high: 1, low: 2), kind: kind, startedAt: now.addingTimeInterval(-60))
        item.host = "api.example.com:8443"
        item.url = "https://api.example.com:8443/Items?page=2&limit=10"
        item.method = "GET"
        item.operation = "listItems"
        change(&item)
        return item
    }

    private func expect(
        _ item: StoredItem, _ content: FilterContent? = nil, matches: [String] = [], misses: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for text in matches {
            let filter = try ActivityFilter(text)
            #expect(filter.matches(item, content: content, now: now), "\(text)", sourceLocation: sourceLocation)
        }
        for text in misses {
            let filter = try ActivityFilter(text)
            #expect(!filter.matches(item, content: content, now: now), "\(text)", sourceLocation: sourceLocation)
        }
    }

    @Test func textIsAPartInAnyCaseAndAGlobTheWhole() throws {
        try expect(
            item(),
            matches: [
                "items", "LISTitems", "/items?page=2", "?page=2&limit", "*Items*", "https://*/items*", "list*",
                "~u h*10",
                "~op listitems", "~op *", "~op \"\"", "~op l?st", "~m get", "~m ?e", #"page\=2"#, #"items\?page"#,
            ],
            misses: [
                "items*", "*/items", "~op list?tems?", #"~u \*"#, #"items\*"#, "~op L*M", "~m get?",
                "~tag \"\"",
                "~error \"\"", "~cache \"\"", "~comment *", "~t *",
            ])
    }

    @Test func textIsFoundAtEachPlaceOfAText() {
        for length in [0, 1, 2, 15, 16, 17, 18, 31, 32, 33, 50] {
            for needle in ["x", "xy", "x1", "xyz", "-xyz!", String(repeating: "x", count: 17)] {
                let filler = String(repeating: "x.", count: length).prefix(length)
                for place in 0...length {
                    let text = filler.prefix(place) + needle.uppercased() + filler.dropFirst(place)
                    #expect(FilterPattern(needle).matches(String(text)), "\(text) \(needle)")
                }
                #expect(FilterPattern(needle).matches(String(filler)) == filler.contains(needle), "\(filler) \(needle)")
            }
        }
    }

    @Test func otherLettersAreComparedInAnyCaseToo() throws {
        let item = item { $0.url = "https://a.example/GRÖSSE/Ämter" }
        try expect(
            item, matches: ["größe | grösse", "ämter", "gr?sse", "*Gr?SSE/ä*"], misses: ["größe", "gr??sse", "omter"])
    }

    @Test func aHostHasItsPortOnlyAfterAColon() throws {
        try expect(
            item(),
            matches: ["~d example", "~d api.example.com", "~d *.com", "~d :8443", "~d *:8443", "~d com:84"],
            misses: ["~d 8443", "~d *8443", "~d com:443", "~d api" + "?example?com?"])
        try expect(
            item { $0.host = "[::1]:80" }, matches: ["~d ::1", "~d [*]", "~d :80"], misses: ["~d 80", "~d [*]:81"])
        try expect(item { $0.host = "::1" }, matches: ["~d 1"], misses: ["~d 2"])
        try expect(item { $0.host = nil }, misses: ["~d \"\"", "~d *"])
    }

    @Test func anEndIsFailedAndAnAnswerIsAStatus() throws {
        for outcome in StoredItem.Outcome.allCases {
            let isFailed = outcome == .failed || outcome == .cancelled || outcome == .cutOff
            try expect(
                item { $0.outcome = outcome }, matches: [isFailed ? "~e" : "!~e", "~q", "!~s"],
                misses: ["~s", "~c 100-9999"])
        }
        try expect(item { $0.status = 200 }, matches: ["~s", "~c 2xx", "!~e"], misses: ["~q", "~c 201-299"])
        try expect(item(), matches: ["~q", "!~e"], misses: ["~s"])
        try expect(item(.log), matches: ["~log"], misses: ["~q", "~s", "~job", "~websocket"])
        try expect(item(.socket) { $0.status = 1006 }, matches: ["~websocket", "~c 1006", "~s"])
        try expect(item(.job), matches: ["~job"], misses: ["~log"])
    }

    @Test func anErrorIsItsCodeItsMessageOrHowItEnded() throws {
        var failed = item { $0.outcome = .failed }
        failed.failure = StoredFailure(code: "timeout", phase: "receiving", message: "no byte for 30 s")
        try expect(
            failed, matches: ["~error TIME", "~error '30 s'", "~error timeout*"],
            misses: ["~error receiving", "~error *30"])
        try expect(item { $0.outcome = .cancelled }, matches: ["~error cancelled", "~error *"], misses: ["~error cut"])
        try expect(item { $0.outcome = .cutOff }, matches: ["~error cutoff"], misses: ["~error cancelled"])
        try expect(item { $0.outcome = .rejected }, misses: ["~error *"])
    }

    @Test func numbersAndTimesAreCompared() throws {
        let item = item {
            $0.duration = .milliseconds(500)
            $0.requestBytes = 10
            $0.responseBytes = 1000
            $0.retries = 1
            $0.isReused = true
            $0.run = 7
            $0.isPinned = true
        }
        try expect(
            item,
            matches: [
                "~slower 500ms", "~faster 501ms", "~larger 1KB", "~larger 5B", "~since 1m", "~until 59s", "~retried",
                "~reused",
                "~run 7", "~marked", "~since 2026-11-18T00:00:00Z",
            ],
            misses: [
                "~slower 501ms", "~faster 500ms", "~larger 1001B", "~since 59s", "~until 1m", "~run 8",
                "~until 2026-11-18",
            ])
        try expect(self.item(), misses: ["~slower 0s", "~faster 2d", "~larger 0", "~retried", "~reused", "~marked"])
    }

    @Test func headersAndBodiesAreThoseThatWereCaptured() throws {
        let content = FilterContent(
            headers: { $0 == .request ? "accept: text/*\nx-id: 1" : "content-type: text/html\n\nx-id: 2" },
            bodies: { $0 == .request ? [] : [Bytes("Hello\nworld".utf8), Bytes([0xff, 0x41])] })
        try expect(
            item(), content,
            matches: [
                "~h accept", "~hq 'x-id: 1'", "~hs 'X-ID: 2'", "~h x-id:?*", "~hq accept:*", "~b 'hello\nworld'",
                "~bs hello",
                "~b *world", "~b a", "~hq ''",
            ],
            misses: [
                "~hs accept", "~hq 'x-id: 2'", "~h '*1\n*'", "~bq hello", "~bq ''", "~b world*", "~b 'helloworld'",
            ])
        try expect(item(), misses: ["~h ''", "~b ''", "~bs *"])
        try expect(
            item(.log) { $0.message = "Hello" }, matches: ["~b hello", "~log ~b h*"], misses: ["~bs hello", "hello"])
        try expect(item { $0.message = "Hello" }, misses: ["~b hello"])
        #expect(try ActivityFilter("~e | !(~d a & ~bs x)").needsContent)
        #expect(try !ActivityFilter("~d a ~t json").needsContent)
    }

    @Test func aBodyIsInflatedUpToALimit() throws {
        let text = Array(String(repeating: "abcdefghij", count: 5000).utf8)
        guard var deflater = Deflater(level: 6) else { throw CancellationError() }
        let compressed = Array(deflater.encode(Bytes(text), isLast: true))
        func inflated(_ bytes: [UInt8], maximum: Int = InflatedBody.maximumBytes) -> [UInt8] {
            bytes.withUnsafeBytes { InflatedBody.withBytes(of: $0, maximum: maximum) { bytes, _ in Array(bytes) } }
        }
        #expect(inflated(compressed) == text)
        #expect(inflated(compressed, maximum: 3000) == Array(text.prefix(3000)))
        #expect(inflated(FilterDatabase.gzip(text)) == text)
        #expect(InflatedBody.whole(compressed) == Bytes(text))
        #expect(InflatedBody.whole(compressed, maximum: 49_999) == nil)
        #expect((0..<compressed.count).allSatisfy { InflatedBody.whole(Array(compressed.prefix($0))) == nil })
        let half = inflated(Array(compressed.prefix(compressed.count / 2)))
        #expect(half.count < text.count)
        #expect(text.starts(with: half))
        #expect(inflated([]) == [])
        #expect(inflated([0x1f]) == [])
        #expect(inflated([1, 2, 3]) == [])
    }
}

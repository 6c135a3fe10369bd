#if Tools
import Foundation
import NetCore
import Testing

@testable import NetStore
@testable import net_activity

@Suite struct LiveNewsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func with<Value>(
        _ filter: String = "", limit: Int = 100, _ body: (ActivityStore, LiveFeed) async throws -> Value
    ) async throws -> Value {
        let store = try ActivityStore(at: folder.file())
        let reader = try ActivityReader(path: folder.file())
        let feed = LiveFeed(
            reader: reader, filter: try ActivityFilter(filter), words: nil, title: "activity.sqlite", limit: limit)
        let value = try await body(store, feed)
        await reader.close()
        try await store.close()
        return value
    }

    /// The contents of a message or a list.
    private struct Read: Decodable {
        struct List: Decodable {
            let count: Int
            let omitted: Int
            let strings: [String]
            let uids: [String]
            let columns: [String: [Int?]]
            let attempts: [[Int?]]
            let runs: [Run]
        }
        struct Run: Decodable { let state: String }

        let last: Int
        let list: List

        init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(bytes)) }

        func texts(_ column: String) -> [String?] {
            (list.columns[column] ?? []).map { $0.map { list.strings[$0] } }
        }
    }

    private func entries(_ news: inout LiveNews) async throws -> Read? {
        switch try await news.next() {
        case .entries(let bytes): return try Read(bytes)
        case .reload: throw CommandError(text: "the list had to be read again")
        case nil: return nil
        }
    }

    @Test func aJobThatGoesOnIsSentAgain() async throws {
        func activity(_ state: JobActivity.State, _ sequence: Int, at seconds: Double) -> JobActivity {
            JobActivity(
                job: Events.id(1), sequence: sequence, date: Events.start.addingTimeInterval(seconds), kind: .download,
                url: "https://files.example.com/a", state: state)
        }
        try await with { store, _ in
            store.record(activity(.running, 1, at: 0))
            try await store.flush()
        }
        try await with { store, feed in
            var news = LiveNews(feed: feed, after: 1)
            _ = try await news.next()
            #expect(try await entries(&news) == nil)
            store.record(activity(.running, 1, at: 10))
            try await store.flush()
            let running = try #require(try await entries(&news))
            #expect(running.list.count == 1)
            // The list shows the job once, as under way.
            #expect(try await Read(feed.list()).list.count == 1)
            store.record(activity(.completed, 2, at: 11))
            try await store.flush()
            let ended = try #require(try await entries(&news))
            #expect(ended.list.columns["outcome"] == [1])
            #expect(ended.list.columns["number"] == [1])
            #expect(try await entries(&news) == nil)
            #expect(try await Read(feed.list()).list.count == 1)
        }
    }

    @Test func aListHasTheNewestFirstAndSaysHowManyAreMissing() async throws {
        try await with(limit: 2) { store, feed in
            try await store.write(Events.call(1), Events.call(2), Events.call(3))
            let read = try Read(try await feed.list())
            #expect(read.last == 3)
            #expect(read.list.count == 2)
            #expect(read.list.omitted == 1)
            #expect(read.list.attempts.count == 2)
            #expect(read.list.columns["number"] == [3, 2])
            #expect(read.list.columns["part"] == [0, 0])
            #expect(read.texts("url").first == "https://api.example.com/items/3?page=2")
        }
    }

    @Test func onlyWhatIsNewIsTold() async throws {
        try await with { store, feed in
            try await store.write(Events.call(1))
            var news = LiveNews(feed: feed, after: 1)
            // At first, the programs that ran are new as well.
            let first = try #require(try await entries(&news))
            #expect(first.list.count == 0)
            #expect(first.list.runs.map(\.state) == ["still running"])
            #expect(try await entries(&news) == nil)
            try await store.write(Events.call(2), Events.call(3, status: 500))
            let second = try #require(try await entries(&news))
            #expect(second.last == 3)
            #expect(second.list.columns["status"] == [500, 200])
            #expect(second.list.attempts.count == 2)
            #expect(try await entries(&news)?.list.count ?? 0 == 0)
        }
    }

    @Test func entriesCommittedLaterDoNotCountTowardTheLimit() async throws {
        try await with { store, feed in
            try await store.write(Events.call(1), Events.call(2), Events.call(3), Events.call(4))
            #expect(try await feed.finished(limit: 2, after: 1, until: 3).map(\.item.id) == [3, 2])
            #expect(try await feed.finished(limit: 2, after: 1).map(\.item.id) == [4, 3])
            #expect(try await feed.finished(limit: 9, after: 2).map(\.item.id) == [4, 3])
        }
    }

    @Test func moreThanAPageIsReadToItsEnd() async throws {
        try await with { store, feed in
            try await store.write((1...450).flatMap { Events.call($0) })
            #expect(try await feed.finished(limit: 1000, after: 7).map(\.item.id) == Array((8...450).reversed()))
            #expect(try await feed.finished(limit: 250).map(\.item.id) == Array((201...450).reversed()))
        }
    }

    @Test func callsInProgressAreReportedOnceAndAgainWhenTheyEnd() async throws {
        try await with { store, feed in
            let events = Events.call(1)
            store.record(events[0])
            try await store.flush()
            var news = LiveNews(feed: feed, after: 0)
            let begun = try #require(try await entries(&news))
            #expect(begun.list.count == 1)
            #expect(begun.list.columns["outcome"] == nil)
            #expect(begun.list.columns["number"] == nil)
            #expect(try await entries(&news)?.list.count ?? 0 == 0)
            for event in events.dropFirst() { store.record(event) }
            try await store.flush()
            let ended = try #require(try await entries(&news))
            #expect(ended.list.columns["outcome"] == [1])
            #expect(ended.list.uids == begun.list.uids)
        }
    }

    @Test func aFilterKeepsTheOthersOut() async throws {
        try await with("~c 5xx") { store, feed in
            try await store.write(Events.call(1), Events.call(2, status: 503), Events.call(3))
            var news = LiveNews(feed: feed, after: 0)
            let read = try #require(try await entries(&news))
            #expect(read.list.columns["status"] == [503])
            #expect(read.last == 3)
            #expect(try Read(try await feed.list()).list.columns["status"] == [503])
        }
    }

    @Test func toMuchAtOnceTheListIsBetter() async throws {
        try await with { store, feed in
            try await store.write(Events.call(1))
            var late = LiveNews(feed: feed, after: 0)
            var beyond = LiveNews(feed: feed, after: 7)
            guard case .reload = try await beyond.next() else {
                return #expect(Bool(false), "numbers that went back weren't noticed")
            }
            #expect(beyond.last == 1)
            try await store.write((2...(Int(LiveNews.mostAtOnce) + 3)).flatMap { Events.call($0) })
            guard case .reload = try await late.next() else {
                return #expect(Bool(false), "all was told at once")
            }
            #expect(late.last == LiveNews.mostAtOnce + 3)
        }
    }

    @Test func aPartHasWhatWasCapturedByTheNumbersOfItsEntries() async throws {
        try await with { store, feed in
            for number in 1...70 {
                let body = CaptureContent.Body(
                    bytes: Bytes("body \(number)".utf8), size: 9, isCut: false, type: "text/plain")
                let events = Events.call(number)
                for event in events.dropLast() { store.record(event) }
                store.record(PendingCapture(Events.id(number), number: 1, status: 200, response: body))
                store.record(events[2])
            }
            try await store.flush()
            let numbers = try await ([0, 1, 2, .max] as [Int64]).asyncMap { part in
                let bytes = try await feed.part(part)
                let line = bytes.prefix { $0 != 10 }
                let json = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
                let text = String(decoding: bytes.dropFirst(line.count + 1), as: UTF8.self)
                return (Set(json.keys.compactMap(Int.init)), text)
            }
            #expect(numbers[0].0 == Set(1..<64))
            #expect(numbers[1].0 == Set(64...70))
            #expect(numbers[0].1.contains("body 63"))
            #expect(!numbers[0].1.contains("body 64"))
            #expect(numbers[2].0.isEmpty)
            #expect(numbers[3].0.isEmpty)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
#endif

import Foundation
import Logging
import NetCore
import Testing

@testable import NetStore

/// Captured parts, WebSockets, jobs and lines of logs.
@Suite struct CaptureTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func body(_ text: String, isCut: Bool = false, type: String? = "application/json") -> CaptureContent.Body {
        CaptureContent.Body(bytes: Bytes(Array(text.utf8)), size: Int64(text.utf8.count), isCut: isCut, type: type)
    }

    @Test func capturesComeBackAsTheyWere() async throws {
        let store = try ActivityStore(at: folder.file())
        let long = String(repeating: "{\"name\":\"Ada\"},", count: 500)
        for event in Events.call(1).prefix(2) { store.record(event) }
        store.record(
            PendingCapture(
                Events.id(1), number: 1, status: 200,
                requestHeaders: StoredExchange.text([("Accept", "a\"b"), ("X-Two", "1"), ("X-Two", "2")]),
                responseHeaders: StoredExchange.text([("Content-Type", "application/json")]),
                request: body("{}"), response: body(long)))
        try await store.flush()
        let open = try #require(try await store.item(uid: Events.id(1)))
        #expect(open.exchanges.count == 1, "captures of a call under way are there")
        try await store.write([Events.call(1)[2]])
        let detail = try #require(try await store.item(id: 1))
        let exchange = try #require(detail.exchanges.first)
        #expect(exchange.number == 1)
        #expect(exchange.status == 200)
        #expect(exchange.requestHeaders.map(\.name) == ["Accept", "X-Two", "X-Two"])
        #expect(exchange.requestHeaders.map(\.value) == ["a\"b", "1", "2"])
        #expect(exchange.request?.bytes == Bytes(Array("{}".utf8)))
        #expect(exchange.response?.bytes == Bytes(Array(long.utf8)))
        #expect(exchange.response?.isCut == false)
        #expect(detail.item.requestType == "application/json")
        #expect(detail.item.responseType == "application/json")
        let stored = try Command.sqlite(
            folder.file(), "SELECT max(length(data)), max(size), sum(is_compressed) FROM net_body")
        let parts = stored.split(separator: "|").compactMap { Int($0) }
        #expect(parts[0] < 500)
        #expect(parts[1] == long.utf8.count)
        #expect(parts[2] == 1)
        try await store.close()
    }

    @Test func aBodyStandsOnceAndIsCutAtItsLimit() async throws {
        let configuration = ActivityStore.Configuration(maximumBodyBytes: 10, retention: .none)
        let store = try ActivityStore(path: folder.file(), configuration: configuration)
        for number in 1...3 {
            store.record(PendingCapture(Events.id(number), number: 1, status: 200, response: body("0123456789ABC")))
            for event in Events.call(number) { store.record(event) }
        }
        try await store.flush()
        let exchange = try #require(try await store.item(uid: Events.id(2))?.exchanges.first)
        #expect(exchange.response?.bytes == Bytes(Array("0123456789".utf8)))
        #expect(exchange.response?.isCut == true)
        #expect(exchange.response?.size == 13)
        #expect(try Command.sqlite(folder.file(), "SELECT count(*), max(uses) FROM net_body") == "1|3")
        try await store.close()
    }

    @Test func aCaptureAfterTheEndIsAddedToTheRow() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(1))
        store.record(PendingCapture(Events.id(1), number: 1, status: 200, response: body("<a/>", type: "text/xml")))
        try await store.flush()
        let detail = try #require(try await store.item(id: 1))
        #expect(detail.item.responseType == "text/xml")
        #expect(detail.exchanges.count == 1)
        try await store.close()
    }

    @Test func aWebSocketIsOneEntryWithItsMessages() async throws {
        let store = try ActivityStore(at: folder.file())
        try await store.write(Events.call(1))
        let events = Events.socket(1)
        store.record(events[0])
        for number in 1...3 {
            store.record(
                PendingMessage(
                    Events.id(1), number: number, occurredAt: 1_000_000, isSent: number == 1, kind: .text, size: 5
                ) { .text("text\(number)") })
        }
        try await store.flush()
        #expect(try await store.itemsUnderWay().map(\.kind) == [.socket])
        #expect(try await store.messages(of: Events.id(1), after: 1).map(\.text) == ["text2", "text3"])
        store.record(events[1])
        try await store.flush()
        let socket = try #require(try await store.item(uid: Events.id(1), kind: .socket)).item
        #expect(socket.outcome == .completed)
        #expect(socket.status == 1000)
        #expect(socket.failure == nil)
        #expect(socket.requestBytes == 5)
        #expect(socket.url == "wss://api.example.com/live")
        #expect(socket.detail == "subprotocol v1, 1 messages sent, 0 received")
        #expect(try await store.item(uid: Events.id(1), kind: .call)?.item.kind == .call)
        try await store.close()
    }

    @Test func aLostWebSocketHasFailed() async throws {
        let store = try ActivityStore(at: folder.file())
        for event in Events.socket(1, code: .abnormalClosure) { store.record(event) }
        try await store.flush()
        let socket = try #require(try await store.items().first)
        #expect(socket.outcome == .failed)
        #expect(socket.status == 1006)
        #expect(socket.failure?.code == "connectionLost")
        #expect(try await store.statistics().isEmpty, "roll-ups count calls")
        try await store.close()
    }

    @Test func ofManyMessagesTheNewestAreKept() async throws {
        let configuration = ActivityStore.Configuration(maximumMessages: 100, retention: .none)
        let store = try ActivityStore(path: folder.file(), configuration: configuration)
        store.record(Events.socket(1)[0])
        for number in 1...640 {
            store.record(
                PendingMessage(Events.id(1), number: number, occurredAt: 0, isSent: true, kind: .binary, size: 1))
        }
        try await store.flush()
        #expect(try await store.messages(of: Events.id(1)).map(\.number) == Array(541...640))
        try await store.close()
    }

    @Test func aJobIsOneEntry() async throws {
        let store = try ActivityStore(at: folder.file())
        func job(_ requests: Int, _ end: PendingJob.End? = nil) -> PendingJob {
            PendingJob(
                Events.id(1), startedAt: 1_000_000, occurredAt: 3_000_000, name: "image.iso",
                url: "https://x/image.iso",
                requests: requests, receivedBytes: Int64(requests) * 100, totalBytes: 400, end: end)
        }
        store.record(job(1))
        try await store.flush()
        #expect(try await store.itemsUnderWay().map(\.responseBytes) == [100])
        store.record(job(4, .init(outcome: .completed, failure: nil)))
        try await store.flush()
        let item = try #require(try await store.items().first)
        #expect(item.kind == .job)
        #expect(item.attempts == 4)
        #expect(item.duration == .seconds(2))
        #expect(item.name == "image.iso")
        try await store.close()
    }

    @Test func linesOfALogStandUnderTheirCall() async throws {
        let store = try ActivityStore(at: folder.file())
        var logger = Logger(label: "shop", factory: { StoreLogHandler(label: $0, store: store) })
        logger[metadataKey: "user"] = "ann"
        logger.warning(
            "slow response",
            metadata: ["call": .stringConvertible(Events.id(1)), "password": "secret", "list": ["a", "b"]])
        logger.debug("below the level")
        logger.info("on its own")
        try await store.write(Events.call(1))
        let detail = try #require(try await store.item(uid: Events.id(1)))
        try #require(detail.owned.map(\.message) == ["slow response"])
        let line = detail.owned[0]
        #expect(line.kind == .log)
        #expect(line.level == "warning")
        #expect(line.name == "shop")
        #expect(line.owner == Events.id(1))
        #expect(line.detail == #"{"list":["a","b"],"password":"<redacted>","user":"ann"}"#)
        #expect(line.outcome == nil)
        #expect(line.duration == nil)
        #expect(try await store.search(words: "own").map(\.owner) == [nil])
        try await store.close()
        #expect(
            try Command.sqlite(folder.file(), "SELECT level, message FROM net_list WHERE kind = 'log' LIMIT 1")
                == "info|on its own")
    }

    @Test func artifactsAreKept() async throws {
        let store = try ActivityStore(at: folder.file())
        let saved = try await store.save(
            .cassette, named: "login", body: Bytes([0, 1, 255]), summary: "three bytes", contentType: "application/json"
        )
        try await store.save(.init(rawValue: "mine"), named: "other", body: Bytes())
        let all = try await store.artifacts()
        try #require(all.map(\.name) == ["other", "login"])
        #expect(all[1].size == 3)
        #expect(all[1].summary == "three bytes")
        #expect(try await store.artifacts(.cassette).map(\.id) == [saved.id])
        let found = try #require(try await store.artifact(id: saved.id))
        #expect(found.body == Bytes([0, 1, 255]))
        #expect(found.artifact.contentType == "application/json")
        try await store.deleteArtifact(id: saved.id)
        #expect(try await store.artifact(id: saved.id) == nil)
        try await store.close()
    }

    @Test func capturesAndMessagesWithoutAnEntryAreDiscarded() async throws {
        let store = try ActivityStore(at: folder.file())
        store.record(PendingCapture(Events.id(1), number: 1, status: 200, response: body("x")))
        store.record(PendingMessage(Events.id(1), number: 1, occurredAt: 0, isSent: true, kind: .text, size: 1))
        try await store.flush()
        let counts =
            "SELECT (SELECT count(*) FROM net_capture), (SELECT count(*) FROM net_body), (SELECT count(*) FROM net_message)"
        #expect(try Command.sqlite(folder.file(), counts) == "0|0|0")
        try await store.close()
    }
}

import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetRecord
import NetTesting
import Testing

@testable import NetStore

/// A store, its HAR, and a store created from that.
@Suite(.timeLimit(.minutes(5)))
struct HARRoundTripTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["a.har", "a.har.gz"])
    func `a store's own HAR becomes the same calls again`(_ name: String) async throws {
        let first = try ActivityStore(at: folder.file("first.sqlite"))
        try await HARSample.fill(first)
        let written = try await first.writeHAR(to: folder.file(name))
        // Three attempts of the first call; the handshake and its WebSocket are one.
        #expect(written.items == 8)
        #expect(written.entries == 9)
        let second = try ActivityStore(at: folder.file("second.sqlite"))
        let added = try await second.importHAR(at: folder.file(name))
        #expect(added.entries == 9)
        #expect(added.calls == 7)
        #expect(added.sockets == 1)
        #expect(added.messages == 40)
        let (before, after) = (
            try await HARSample.content(of: first), try await HARSample.content(of: second)
        )
        #expect(before.messages == after.messages)
        #expect(before.details.count == after.details.count)
        for (one, other) in zip(before.details, after.details) { #expect(one == other) }
        // Importing again adds nothing, not even a run.
        let again = try await second.importHAR(at: folder.file(name))
        #expect(again.calls == 0)
        #expect(again.alreadyStored == 7)
        #expect(again.run == nil)
        #expect(try await second.runs().map(\.process) == ["swift-net", Machine.program])
        #expect(try await second.statistics(by: .all).map(\.calls) == [7])
        // Byte for byte, from either store.
        try await second.writeHAR(to: folder.file("b.har"))
        try await first.writeHAR(to: folder.file("c.har"))
        #expect(try folder.har("b.har") == folder.har("c.har"))
        try await first.close()
        try await second.close()
    }

    @Test func `the entries are HAR with what browsers look for`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await HARSample.fill(store)
        try await store.writeHAR(to: folder.file("a.har"))
        try await store.close()
        let entries = try Cassette.read(from: folder.file("a.har")).exchanges
        try #require(entries.map { $0.response?.status.code ?? 0 } == [0, 302, 200, 200, 200, 200, 204, 200, 200])
        #expect(entries[0].failure == .init(code: "timeout", message: "no answer in 10 seconds"))
        #expect(entries[2].request.url == "https://other.example.com/items/0")
        let document = try RecordFile(folder.file("a.har")).read(advice: "").node
        let list = try #require(document["log"]?["entries"]?.array)
        let first = try #require(list.first)
        // Phases as they are stored, to the microsecond: the time between them is in `wait`.
        let timings = try #require(list[1]["timings"])
        #expect(timings["blocked"]?.number == 0.007)
        #expect(timings["dns"]?.number == 1.004)
        #expect(timings["connect"]?.number == 38.996)
        #expect(timings["ssl"]?.number == 37.674)
        #expect(timings["send"]?.number == 10.004)
        #expect(timings["wait"]?.number == 29.992)
        #expect(timings["receive"]?.number == 10)
        #expect(list[1]["time"]?.number == 90.003)
        #expect(list[1]["serverIPAddress"]?.string == "::1")
        #expect(first["startedDateTime"]?.string == "2026-01-01T00:00:00Z")
        #expect(list[1]["response"]?["redirectURL"]?.string == "https://other.example.com/items/0")
        #expect(list[4]["request"]?["postData"] == nil)
        #expect(list[4]["request"]?["_postData"]?["_isCut"]?.bool == true)
        #expect(
            list[4]["request"]?["comment"]?.string
                == "Only the first 100 bytes of the body of 255 bytes were captured, so there is no postData.")
        #expect(list[4]["request"]?["bodySize"]?.number == 255)
        #expect(list[4]["response"]?["content"]?["size"]?.number == 255)
        #expect(list[3]["comment"]?.string == "look at \u{202e}this \u{1f600}")
        #expect(list[7]["_fromCache"]?.string == "disk")
        let messages = try #require(list[8]["_webSocketMessages"]?.array)
        #expect(list[8]["_resourceType"]?.string == "websocket")
        try #require(messages.count == 40)
        #expect(messages[0]["time"]?.number == 1_767_225_601.000003)
        #expect(messages[0]["type"]?.string == "receive")
        #expect(messages[1]["opcode"]?.number == 2)
        #expect(messages[9]["opcode"]?.number == 9)
        #expect(document["log"]?["pages"]?.array?.isEmpty == true)
    }

    @Test func `calls of a real client come back with bodies, retries and redirects`() async throws {
        let store = try ActivityStore(
            path: folder.file("a.sqlite"),
            configuration: .init(capture: .bodies, retention: .none))
        let stubs = [
            Stub(.get, "/moved", StubResponse.text("", status: .found).header(.location, "/new")),
            Stub(.get, "/new", StubResponse.text("arrived")),
            Stub(
                .post, "/echo",
                StubResponse.text(#"{"token":"pl4nted","n":1}"#).header(.contentType, "application/json")),
        ]
        let client = HTTPClient(baseURL: "https://mock.test", transport: MockTransport(stubs)) {
            $0.listeners = [store]
            $0.timeouts = Timeouts(firstByte: nil, stall: nil)
        }
        _ = try await client.send(Request<String>("/moved"))
        var post = Request<String>("/echo", method: .post)
        post.headers[.authorization] = "Bearer pl4nted"
        post.body = .bytes(Bytes("a=1&b=2".utf8))
        _ = try await client.send(post)
        try await store.flush()
        try await store.writeHAR(to: folder.file("a.har"))
        #expect(try !folder.har("a.har").contains("pl4nted"))
        let other = try ActivityStore(at: folder.file("b.sqlite"))
        #expect(try await other.importHAR(at: folder.file("a.har")).calls == 2)
        let (before, after) = (try await HARSample.content(of: store), try await HARSample.content(of: other))
        #expect(before == after)
        #expect(before.details.map(\.attempts.count) == [2, 1])
        try await store.close()
        try await other.close()
    }

    @Test func `a filter and a limit choose the newest`() async throws {
        let store = try ActivityStore(at: folder.file())
        try await HARSample.fill(store)
        let found = try await store.writeHAR(to: folder.file("a.har"), matching: ActivityFilter("~m post"), limit: 1)
        #expect(found.items == 1)
        #expect(found.entries == 1)
        let socket = try await store.writeHAR(to: folder.file("b.har"), matching: ActivityFilter("~websocket"))
        #expect(socket.entries == 1)
        let none = try await store.writeHAR(to: folder.file("c.har"), matching: ActivityFilter("~d nowhere"))
        #expect(none.items == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("c.har")))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("a.har"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        await #expect(throws: StoreError.self) { try await store.writeHAR(to: folder.file("no/such/folder.har")) }
        try await store.close()
    }
}

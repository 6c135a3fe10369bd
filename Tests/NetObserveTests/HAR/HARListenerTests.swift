#if Server
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct HARListenerTests {
    private func client(_ listener: HARListener, _ server: TestServer) -> HTTPClient {
        HTTPClient(baseURL: server.baseURL) { $0.listeners = [listener] }
    }

    private func entries(_ listener: HARListener) throws -> [JSONValue] {
        let har = try JSONCoding.standard.decode(JSONValue.self, from: listener.har())
        guard case .array(let entries)? = har["log"]?["entries"] else { return [] }
        return entries
    }

    @Test func everyAttemptIsAnEntryWithItsTimes() async throws {
        let server = try await TestServer.start([
            Stub(.post, "/login", StubResponse.json(["name": "ada", "token": "geheim"]).delayed(by: .milliseconds(30)))
        ])
        let listener = HARListener()
        let client = client(listener, server)
        let request = Request<Bytes>(
            "/login", method: .post, body: .json(["password": "geheim"]), serializer: .bytes)
        _ = try await client.raw(request)
        _ = try await client.raw(Request<Bytes>("/nothing", serializer: .bytes))
        #expect(listener.count == 2)
        #expect(listener.dropped == 0)
        let entries = try entries(listener)
        let first = try #require(entries.first)
        #expect(first["request"]?["method"] == "POST")
        #expect(first["response"]?["status"] == 200)
        #expect(entries.last?["response"]?["status"] == 404)
        #expect(!String(decoding: listener.har(), as: UTF8.self).contains("geheim"))
        #expect(first["response"]?["content"]?["text"]?.stringValue?.contains("\"ada\"") == true)
        #expect(first["serverIPAddress"] == "127.0.0.1")
        // The connection is opened in the first one, and the waits are those of the server.
        let phases = ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"].map {
            first["timings"]?[$0]?.doubleValue ?? -2
        }
        #expect(phases[2] >= 0)
        #expect(phases[3] == -1)
        #expect(phases[5] >= 25)
        let total = phases.reduce(0) { $0 + max(0, $1) }
        #expect(abs(total - (first["time"]?.doubleValue ?? 0)) < 0.01)
        await server.stop()
    }

    @Test func theOldestGoesFirst() async throws {
        let server = try await TestServer.start([Stub(.get, "/{id}") { .text($0.parameters["id"] ?? "") }])
        let few = HARListener(maximumExchanges: 2)
        let small = HARListener(maximumBytes: 1)
        let client = HTTPClient(baseURL: server.baseURL) { $0.listeners = [few, small] }
        for number in 0..<200 { _ = try await client.raw(Request<Bytes>("/\(number)", serializer: .bytes)) }
        #expect(few.count == 2)
        #expect(few.dropped == 198)
        #expect(small.count == 0)
        #expect(small.dropped == 200)
        let urls = try entries(few).map { $0["request"]?["url"]?.stringValue?.split(separator: "/").last }
        #expect(urls == ["198", "199"])
        few.removeAll()
        #expect(few.count == 0)
        #expect(few.dropped == 0)
        await server.stop()
    }

    @Test func withoutBodiesOnlyTheirSizesAreKept() async throws {
        let server = try await TestServer.start([Stub(.get, "/x", .text("some text"))])
        let listener = HARListener(bodies: nil)
        _ = try await client(listener, server).raw(Request<Bytes>("/x", serializer: .bytes))
        #expect(try entries(listener).first?["response"]?["content"]?["text"] == nil)
        await server.stop()
    }

    @Test func theFileIsReadAsARecording() async throws {
        let server = try await TestServer.start([Stub(.get, "/x", .text("some text"))])
        let listener = HARListener()
        _ = try await client(listener, server).raw(Request<Bytes>("/x", serializer: .bytes))
        let folder = FileManager.default.temporaryDirectory.appending(path: "har-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "calls.har").path()
        try listener.write(to: path)
        let replay = try ReplayTransport(cassette: path)
        let again = HTTPClient(baseURL: server.baseURL, transport: replay)
        #expect(try await again.send(Request<String>("/x")) == "some text")
        let error = #expect(throws: NetError.self) { try listener.write(to: folder.appending(path: "no/x.har").path()) }
        #expect(error?.code == .file)
        await server.stop()
    }
}
#endif

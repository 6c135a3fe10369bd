import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import NetStore

#if Server
/// A call over a real connection, as a page to share.
struct ProofBundleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ stub: Stub, capture: ActivityStore.Capture = .bodies) async throws -> ActivityStore {
        let store = try ActivityStore(path: folder.file(), configuration: .init(capture: capture))
        let server = try await TestServer.start([stub])
        let client = HTTPClient(baseURL: "\(server.baseURL)/v1") {
            $0.headers = [.authorization: "Bearer s3cret-s3cret"]
            $0.listeners = [store]
        }
        _ = try? await client.raw(
            Request<Data>("books", method: .post, query: ["page": 2], body: .json(["title": "``` <b>Emma</b>"])))
        await client.shutdown()
        await server.stop()
        try await store.flush()
        return store
    }

    private func markdown(of store: ActivityStore, contract: String? = nil) async throws -> String {
        let item = try #require(try await store.items(limit: 1).first)
        return try #require(try await store.proofBundle(of: item.uid, contractReport: contract)).markdown
    }

    @Test func itHasRequestTraceResponseRecordingAndContract() async throws {
        let store = try await store(Stub(.post, "/v1/books", .json(text: #"{"id":1}"#, status: .created)))
        let page = try await markdown(of: store, contract: "all kept")
        let parts = page.components(separatedBy: "\n## ").dropFirst()
        #expect(
            parts.map { String($0.prefix { $0 != "\n" }) } == ["Request", "Trace", "Response", "Recording", "Contract"])
        #expect(page.contains("```http\nPOST http://127.0.0.1:"))
        #expect(page.contains("/v1/books?page=2\n"))
        #expect(page.contains("Authorization: <redacted>"))
        #expect(!page.contains("s3cret"))
        // A body that contains a fence is enclosed in a longer one.
        #expect(page.contains("````\n{\"title\":\"``` <b>Emma<"))
        #expect(page.contains("```http\nHTTP/1.1 201\n"))
        #expect(page.contains("```\n{\"id\":1}\n```"))
        #expect(page.hasSuffix("```\nall kept\n```\n"))
        try await store.close()
    }

    @Test func theRecordingInItAnswers() async throws {
        let store = try await store(Stub(.post, "/v1/books", .json(text: #"{"id":1}"#, status: .created)))
        let page = try await markdown(of: store)
        let part = try #require(page.components(separatedBy: "json\n").last)
        let fence = part.range(of: "\n```")
        let har = folder.file("recording.har")
        try Data(part[..<(fence?.lowerBound ?? part.endIndex)].utf8).write(to: URL(fileURLWithPath: har))
        let replay = try ReplayTransport(
            cassette: har, mode: .none, rules: ReplayRules(parts: [.method, .path, .query]))
        let client = HTTPClient(baseURL: "http://elsewhere.example/v1", transport: replay)
        let answer = try await client.send(Request<JSONValue>("books", method: .post, query: ["page": 2]))
        #expect(answer["id"] == 1)
        try await store.close()
    }

    @Test func aFailureAndWhatWasNotCapturedAreSaid() async throws {
        let store = try await store(Stub(.post, "/v1/books", .dropped()), capture: .nothing)
        let page = try await markdown(of: store)
        #expect(page.contains("Headers and body were not captured."))
        #expect(page.contains("No response."))
        #expect(page.contains("connectionLost while"))
        #expect(page.hasPrefix("# POST http"))
        try await store.close()
    }

    @Test func aBundleIsKeptAsAnArtifactOfItsCall() async throws {
        let store = try await store(Stub(.post, "/v1/books", .text("fine")))
        let item = try #require(try await store.items(limit: 1).first)
        let bundle = try #require(try await store.proofBundle(of: item.uid))
        let saved = try await store.save(bundle)
        let kept = try #require(try await store.artifact(id: saved.id))
        #expect(kept.artifact.kind == .proofBundle)
        #expect(kept.artifact.item == item.id)
        #expect(String(decoding: kept.body, as: UTF8.self) == bundle.markdown)
        #expect(try await store.proofBundle(of: CallID(high: 1, low: 2)) == nil)
        try await store.close()
    }
}
#endif

#if Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTestServer
import NetTesting
import Testing

/// A call over a real connection: recorded, searched for secrets, and replayed without the server.
@Suite(.timeLimit(.minutes(1)))
struct PlantedSecretTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let stubs = [
        Stub(.post, "/login") { _ in
            StubResponse.json(text: #"{"access_token":"PLANTED-answer","user":{"name":"Ada","id":7}}"#)
                .header(.setCookie, "session=PLANTED-setcookie; Path=/")
                .header(.location, "/next?code=PLANTED-location")
        },
        Stub(.post, "/form") { _ in .text("form done") },
        Stub(.post, "/parts") { _ in .json(text: #"{"next":"https://h/?access_token=PLANTED-link&page=2"}"#) },
        Stub(
            .get, "/events",
            .chunks(["data: {\"token\":\"PLANTED-", "event\"}\n\n", "data: end\n\n"], contentType: "text/event-stream")),
    ]

    private func session(_ client: HTTPClient, secret: String) async throws -> [String] {
        let login = Request<String>(
            "/login", method: .post,
            query: [QueryItem("api_key", "PLANTED-\(secret)-query"), QueryItem("page", "2")],
            headers: [
                .authorization: "Bearer PLANTED-\(secret)-header", .cookie: "session=PLANTED-\(secret)-cookie",
            ],
            body: .json(["password": "PLANTED-\(secret)-json", "user": "ada"]))
        let form = Request<String>(
            "/form", method: .post,
            body: .form([QueryItem("client_secret", "PLANTED-\(secret)-form"), QueryItem("user", "ada")]))
        let parts = Request<String>(
            "/parts", method: .post,
            body: .multipart([
                .json("login", ["password": "PLANTED-\(secret)-part"]),
                .text("note", "{\"token\":\"PLANTED-\(secret)\"}"),
            ]))
        var texts: [String] = []
        for request in [login, form, parts] {
            texts.append(try await client.send(request))
        }
        return texts
    }

    @Test func secretsReachNoFileAndReplayStillMatches() async throws {
        let server = try await TestServer.start(Self.stubs)
        var curl = CurlTransport.Configuration()
        curl.proxy = .none
        let recording = RecordingTransport(CurlTransport(configuration: curl))
        let live = HTTPClient(baseURL: server.baseURL, transport: recording)
        let first = try await session(live, secret: "one")
        #expect(first[0].contains("PLANTED-answer"))
        #expect(first[1] == "form done")
        let events = RecordCall.context(server.baseURL.description + "/events")
        let streamed = try await recording.execute(events.request, context: events.context)
        #expect(String(decoding: try await streamed.body.collect(upTo: 1000), as: UTF8.self).contains("PLANTED-event"))
        await live.shutdown()
        await server.stop()
        #expect(recording.recordedCount == 4)

        for name in ["tape.json", "tape.har"] {
            try recording.write(to: folder.file(name))
            #expect(!(try folder.text(name)).contains("PLANTED"))
            if name == "tape.har" { #expect(try folder.text(name).contains("api_key=%3Credacted%3E&page=2\"")) }
            let replay = try ReplayTransport(cassette: folder.file(name), mode: .none)
            let client = HTTPClient(baseURL: server.baseURL, transport: replay)
            // With different secrets than when recording: they are redacted before anything is compared.
            let again = try await session(client, secret: "two")
            #expect(again[0] == #"{"access_token":"<redacted>","user":{"name":"Ada","id":7}}"#)
            #expect(again[1] == "form done")
            #expect(again[2] == #"{"next":"https://h/?access_token=<redacted>&page=2"}"#)
            #expect(replay.unusedExchanges.count == 1)
            let stream = try await replay.execute(events.request, context: events.context)
            let text = String(decoding: try await stream.body.collect(upTo: 1000), as: UTF8.self)
            #expect(text == "data: {\"token\":\"<redacted>\"}\n\ndata: end\n\n")
            try replay.verify()
            do {
                _ = try await session(client, secret: "three")
                Issue.record("the cassette is used up")
            } catch {
                #expect("\(error)".contains("it has already been replayed"))
                #expect(!"\(error)".contains("PLANTED"))
            }
        }
    }
}

extension RecordCall {
    fileprivate static func context(_ url: String) -> (request: PreparedRequest, context: CallContext) {
        let parts = url.dropFirst(7)
        let slash = parts.firstIndex(of: "/") ?? parts.endIndex
        let request = PreparedRequest(
            head: HTTPRequest(
                method: .get, scheme: "http", authority: String(parts[..<slash]), path: String(parts[slash...])))
        return (request, CallContext(for: request, delivery: .streamed))
    }
}
#endif

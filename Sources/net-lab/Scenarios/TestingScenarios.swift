#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetTestServer
internal import NetTesting

/// Scenarios with encoded bodies, recordings and contracts, each with a separate peer.
enum TestingScenarios {
    static let all = [decoded, truncated] + compressed + [upload, cassette, contract, leaks]

    /// "hello, hello, hello, hello" in gzip (RFC 1952).
    private static let coded = Bytes(Data(base64Encoded: "H4sIAAAAAAAC/8tIzcnJ11HIwKQAVaOCdxoAAAA=") ?? Data())
    private static let token = "lab-secret-4711"

    private static func gzip(_ bytes: Bytes) -> StubResponse {
        .bytes(bytes, contentType: "text/plain").header(.contentEncoding, "gzip")
    }

    private static let stubs = [
        Stub(.get, "/coded", gzip(coded)), Stub(.get, "/half", gzip(coded[0..<20])), .mirror(),
        // The request's body as it arrived, still encoded.
        .streaming(.post, "/coded") { request, body in
            StubResponse(
                headers: request.headers[.contentEncoding].map { [.contentEncoding: $0] } ?? [:], body: .stream { body }
            )
        },
        Stub(.get, "/users/{id}") { .json(["id": $0.parameters["id"] ?? ""]) },
    ]

    private static func scenario(
        _ name: String, _ summary: String, expect expected: String, needsWire: Bool = false,
        _ body: @escaping @Sendable (_ bench: Workbench) async throws -> String
    ) -> Scenario {
        Scenario(name, summary, expect: expected, needsWire: needsWire, with: stubs, run: body)
    }

    private static let decoded = scenario(
        "gzip", "An encoded body arrives decoded.", expect: "hello, hello, hello, hello; gzip was offered",
        needsWire: true
    ) { bench in
        let client = try bench.client()
        let text = try await client.send(Request<String>("coded", serializer: .string))
        let isOffered = bench.requests.last?.headers[.acceptEncoding]?.contains("gzip") == true
        return "\(text); gzip was \(isOffered ? "" : "not ")offered"
    }

    private static let truncated = scenario(
        "half a gzip stream", "It is an error, never the whole.", expect: "decoding while receiving", needsWire: true
    ) { bench in
        let client = try bench.client()
        do {
            return "taken as whole: " + (try await client.send(Request<String>("half", serializer: .string)))
        } catch let error as APIError<Never> {
            return error.netError.map { "\($0.code) while \($0.phase)" } ?? "rejected"
        }
    }

    #if Compression
    private static let compressed = [
        scenario(
            "Zstandard", "A body is sent and returned compressed.",
            expect: "12000 letters as they were, less than 100 bytes each way, in zstd", needsWire: true
        ) { bench in
            let client = try bench.client(CompressionMiddleware(.zstd))
            let text = String(repeating: "harbour book", count: 1000)
            let request = Request<String>("coded", method: .post, body: .text(text), serializer: .string)
            let response = try await client.response(request)
            let isShort = try bench.peer.server.requests.last.map { $0.bodyBytes < 100 } == true
            return "\(response.value.count) letters \(response.value == text ? "as they were" : "changed"), "
                + "\(isShort ? "less" : "more") than 100 bytes each way, "
                + "in \(response.head[.contentEncoding] ?? "no coding")"
        }
    ]
    #else
    private static let compressed: [Scenario] = []
    #endif

    private static let upload = scenario(
        "multipart upload", "Text and a file of a million bytes, streamed, the length known beforehand.",
        expect: "2 parts, 1000000 bytes as they were, Content-Length right", needsWire: true
    ) { bench in
        let path = bench.folder + "/photo.bin"
        try BytePattern.bytes(from: 0, count: 1_000_000).data.write(to: URL(fileURLWithPath: path))
        let client = try bench.client()
        let body = RequestBody.multipart([.text("title", "Harbour"), .file("photo", path: path)])
        let mirrored = try await client.send(Request<Bytes>("mirror", method: .post, body: body, serializer: .bytes))
        let request = bench.requests.last
        let boundary = request?.headers[.contentType].flatMap(MediaType.init)?["boundary"] ?? "none"
        let parts = mirrored.data.split(separator: Data("--\(boundary)".utf8)).count - 1
        let isIntact = mirrored.data.firstRange(of: BytePattern.bytes(from: 0, count: 1_000_000).data) != nil
        let isExact = request?.headers[.contentLength] == "\(mirrored.count)"
        return "\(parts) parts, 1000000 bytes \(isIntact ? "as they were" : "changed"), "
            + "Content-Length \(isExact ? "right" : "wrong")"
    }

    /// Makes the calls that are recorded: one has a secret in its query.
    private static func calls(_ client: HTTPClient, token: String) async throws -> String {
        let user = try await client.send(
            Request<[String: String]>("users/7", query: [QueryItem("access_token", token)]))
        return user["id"] ?? "nobody"
    }

    private static let cassette = scenario(
        "cassette", "Recorded once, replayed without the server; the secret is not in the file.",
        expect: "live 7, replayed 7, secret hidden"
    ) { bench in
        let (file, url) = (bench.folder + "/users.json", bench.baseURL)
        let recording = RecordingTransport(bench.transport)
        let live = try await calls(HTTPClient(baseURL: url, transport: recording), token: token)
        try recording.write(to: file)
        await bench.peer.stop()
        let replay = try ReplayTransport(cassette: file, mode: .none)
        let replayed = try await calls(HTTPClient(baseURL: url, transport: replay), token: "another")
        try replay.verify()
        let isHidden = !(try String(contentsOfFile: file, encoding: .utf8)).contains(token)
        return "live \(live), replayed \(replayed), secret \(isHidden ? "hidden" : "in the file")"
    }

    private static let contract = scenario(
        "contract", "Made from a recording; what drifts is named.", expect: "kept; then path drifts"
    ) { bench in
        let (file, url) = (bench.folder + "/users.json", bench.baseURL)
        let recording = RecordingTransport(bench.transport)
        _ = try await calls(HTTPClient(baseURL: url, transport: recording), token: token)
        try recording.write(to: file)
        let contracted = ContractTransport(try Contract("users", cassette: file))
        let client = HTTPClient(baseURL: url, transport: contracted)
        _ = try await calls(client, token: token)
        try contracted.verifyComplete()
        contracted.reset()
        do {
            try await client.send(
                Request<String>("users/8", query: [QueryItem("access_token", token)], serializer: .string))
            return "kept; then nothing drifts"
        } catch let error as APIError<Never> {
            let drifts = error.netError?.message.contains("path: expected") ?? false
            return "kept; then \(drifts ? "path drifts" : "\(error)")"
        }
    }

    private static let leaks = scenario(
        "nothing left", "A hundred calls, a quarter of them dropped unread.", expect: "100 calls, nothing left",
        needsWire: true
    ) { bench in
        let url = bench.baseURL
        return try await LeakCheck.run {
            let client = HTTPClient(baseURL: url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<100 {
                    group.addTask {
                        let get = Request<Bytes>("users/\(index)", serializer: .bytes)
                        if index % 4 == 0 {
                            _ = try await client.stream(get)
                        } else {
                            try await client.send(get)
                        }
                    }
                }
                try await group.waitForAll()
            }
            await client.shutdown()
            return "100 calls, nothing left"
        }
    }
}
#endif

#if Tools && Server
import Foundation
import HTTPTypes
import Logging
import NetHTTP
import NetSocket
import NetTestServer
import NetTesting
import Testing

@testable import NetStore

/// Secrets in every place of calls, WebSockets and lines of logs; the file and all output of `net-activity` are
/// searched for them.
@Suite(.timeLimit(.minutes(5)))
struct PlantedSecretTests {
    private static let mark = "PLANTED"
    private static let part =
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nPLANTED-part\r\n--b--\r\n"
    /// The text beside each secret, which must be found: otherwise the test would prove nothing.
    private static let seen = [
        "seen-query", "seen-json", "seen-form", "seen-part", "seen-xml", "seen-answer", "seen-event", "seen-line",
        "seen-plain", "seen-cut", "seen-socket", "seen-message", "seen-metadata", "seen-nested",
    ]

    private static let stubs = [
        Stub(.post, "/json") { _ in
            StubResponse.json(
                text: #"{"access_token":"PLANTED-answer","items":[{"password":"PLANTED-deep"}],"a":"seen-answer"}"#
            )
            .header(.setCookie, "session=PLANTED-setcookie; Path=/")
        },
        Stub(.post, "/form") { _ in .json(text: #"{"token":"PLANTED-refusal"}"#, status: .badRequest) },
        Stub(.post, "/multipart") { _ in
            StubResponse(headers: [.contentType: "multipart/form-data; boundary=b"], body: .text(part))
        },
        Stub(.post, "/xml") { _ in
            StubResponse(
                headers: [.contentType: "application/xml"],
                body: .text("<a><password>PLANTED-xml</password><b token='PLANTED-attribute'>seen-xml</b></a>"))
        },
        Stub(.get, "/from") { _ in
            .status(.found).header(.location, "/to?access_token=PLANTED-location&page=2#token=PLANTED-fragment")
        },
        Stub(.get, "/to") { _ in .json(text: #"{"token":"PLANTED-undecodable""#) },
        Stub(.get, "/lines") { _ in
            StubResponse(
                headers: [.contentType: "application/x-ndjson"],
                body: .text("{\"token\":\"PLANTED-line\"}\n{\"a\":\"seen-line\",\"password\":\"PLANTED-line\"}\n"))
        },
        Stub(.get, "/plain") { _ in .text("seen-plain: you have sent PLANTED-bearer to this server") },
        Stub(.get, "/cut") { _ in
            .json(
                text: #"{"a":"seen-cut"# + String(repeating: "x", count: 65_480)
                    + #"","password":"PLANTED-cut-in-two"}"#)
        },
        Stub(.get, "/flaky") { _ in .json(text: #"{"token":"PLANTED-unavailable"}"#, status: .serviceUnavailable) },
        Stub(.get, "/events") { _ in
            .chunks(
                [
                    "data: {\"token\":\"PLANTED-event\"}\n\n",
                    "data: {\"a\":\"seen-event\",\"password\":\"PLANTED-event\"}\n\n",
                ],
                contentType: "text/event-stream")
        },
    ]

    private static func requests(_ base: String) -> [Request<Bytes>] {
        func post(_ path: Path, _ type: String, _ body: String) -> Request<Bytes> {
            Request(
                path, method: .post, headers: [.contentType: type], body: .bytes(Bytes(body.utf8)), serializer: .bytes)
        }
        func get(_ path: Path) -> Request<Bytes> { Request(path, serializer: .bytes) }
        var json = post("/json", "application/json", #"{"note":"seen-json","user":{"password":"PLANTED-json"}}"#)
        json.query = [QueryItem("api_key", "PLANTED-query"), QueryItem("note", "seen-query")]
        json.headers[.cookie] = "session=PLANTED-cookie"
        json.headers[.referer] = "http://h/?token=PLANTED-referer"
        let port = base.split(separator: ":").last.map(String.init) ?? ""
        var quoting = get("/flaky")
        quoting.options.middleware = [Quoting()]
        return [
            json, post("/form", "application/x-www-form-urlencoded", "client_secret=PLANTED-form&note=seen-form"),
            post(
                "/multipart", "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nseen-part\r\n" + part),
            post("/xml", "text/xml", "<a><b>seen-xml</b><client_secret>PLANTED-xml</client_secret></a>"),
            get("/from"), Request(url: "http://ada:PLANTED-password@127.0.0.1:\(port)/from", serializer: .bytes),
            get("/lines"), get("/plain"), get("/cut"), get("/flaky"), quoting,
            Request(url: "http://u:PLANTED-user@127.0.0.1:1/?sig=PLANTED-refused", serializer: .bytes),
        ]
    }

    /// A middleware whose error quotes a text that it couldn't parse.
    private struct Quoting: Middleware {
        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no number: PLANTED-quoted"))
        }
    }

    private func call(_ server: TestServer, _ store: ActivityStore) async throws {
        let token = try AuthMiddleware(.bearer("PLANTED-bearer"))
        let client = HTTPClient(baseURL: try BaseURL(server.baseURL.description + "?client_secret=PLANTED-base")) {
            $0.headers["X-Api-Key"] = "PLANTED-key"
            $0.middleware = [
                RetryMiddleware(RetryPolicy(maximumAttempts: 2, backoff: .constant(.milliseconds(1)))),
                token,
            ]
            $0.listeners = [store]
        }
        for request in Self.requests(server.baseURL.description) { _ = try? await client.send(request) }
        for try await _ in try await client.stream(Request<Bytes>("/events", serializer: .bytes)).body {}
        await client.shutdown()
    }

    private func talk(_ server: TestServer, _ store: ActivityStore) async throws {
        let client = WebSocketClient(configuration: .init(listeners: [store]))
        var request = WebSocketRequest(
            url: "\(server.webSocketURL)/echo", query: ["access_token": "PLANTED-ticket"],
            headers: [.authorization: "Bearer PLANTED-header"])
        request.secretSubprotocol = "PLANTED-protocol"
        let socket = try await client.connect(request)
        for text in [
            #"{"a":"seen-socket","password":"PLANTED-socket"}"#,
            "hello PLANTED-header, PLANTED-ticket, PLANTED-protocol",
            #"["auth",{"token":"PLANTED-list"}]"#,
        ] {
            try await socket.send(text)
            _ = try await socket.receive()
        }
        await socket.close(reason: "token=PLANTED-reason")
    }

    private func log(into store: ActivityStore) {
        let logger = Logger(label: "shop", factory: { StoreLogHandler(label: $0, store: store) })
        logger.warning(
            #"seen-message: GET https://ann:PLANTED-url@api.test/?key=PLANTED-url gave {"token":"PLANTED-body"}"#,
            metadata: [
                "password": "PLANTED-metadata", "note": "seen-metadata",
                "url": "https://api.test/?api_key=PLANTED-value", "body": #"{"password":"PLANTED-value"}"#,
                "session": ["a": ["PLANTED-nested"]], "list": [["access_token": "PLANTED-nested", "b": "seen-nested"]],
            ])
    }

    /// Returns all output of `net-activity` for the file.
    private func printed(_ file: String, _ store: ActivityStore) async throws -> [(String, String)] {
        let items = try await store.items(limit: 1000)
        var commands = ["operation", "host", "hour", "run", "all"].map { ["stats", file, "--by", $0] }
        for id in Set(items.map(\.uid.description)) {
            commands += [["show", file, id], ["show", file, id, "--all"]]
        }
        for format in [[], ["--json"]] {
            commands.append(["list", file, "--limit", "1000"] + format)
            commands.append(["list", file, "~b seen | ~h seen"] + format)
            commands.append(["search", file, "127"] + format)
            commands.append(["tail", file, "--count", "\(items.count)", "--last", "1000"] + format)
        }
        var printed: [(String, String)] = []
        for arguments in commands {
            let command = try Command.run(Command.product("net-activity"), arguments)
            #expect(command.exitCode == 0, "\(arguments): \(command.errors)")
            printed.append((arguments.filter { $0 != file }.joined(separator: " "), command.output + command.errors))
        }
        return printed
    }

    @Test func noSecretIsInTheFileNorInAnythingThatIsPrinted() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file()
        let store = try ActivityStore(path: file, configuration: .init(capture: .bodies))
        let server = try await TestServer.start(
            Self.stubs, webSockets: [.echo("/echo", subprotocols: ["PLANTED-protocol"])])
        try await call(server, store)
        try await talk(server, store)
        log(into: store)
        try await store.flush()
        let open = try folder.allBytes()
        let output = try await printed(file, store)
        // Bodies are compressed in the file, so they are searched in the form that a reader returns.
        var bodies: [String] = []
        for item in try await store.items(limit: 1000) {
            let detail = try #require(try await store.item(uid: item.uid, kind: item.kind))
            bodies += detail.exchanges.flatMap { [$0.request, $0.response] }.compactMap { $0?.bytes }
                .map { String(decoding: $0, as: UTF8.self) }
        }
        try await store.close()
        await server.stop()

        let places =
            output + bodies.map { ("a body", $0) } + [
                ("the file and its log", String(decoding: open, as: UTF8.self)),
                ("the closed file", String(decoding: try folder.allBytes(), as: UTF8.self)),
            ]
        for (place, text) in places {
            let found = text.components(separatedBy: Self.mark).dropFirst().map { $0.prefix(12) }
            #expect(found.isEmpty, "\(place) says \(found)")
        }
        let all = places.map(\.1).joined()
        for word in Self.seen { #expect(all.contains(word), "\(word) is nowhere") }
        let requests = server.requests.map { request in
            "\(request.target) \(request.headers.map(\.value)) \(String(decoding: request.body, as: UTF8.self))"
        }
        for secret in [
            "query", "cookie", "referer", "json", "form", "part", "xml", "key", "bearer", "location", "base",
        ] {
            #expect(requests.joined().contains("\(Self.mark)-\(secret)"), "\(secret) was not sent")
        }
    }
}
#endif

import Foundation
import HTTPTypes
import Logging
import NetCore
import NetHTTP
import NetSocket
import NetStore
import NetTesting
import TestSupport

/// Settings, clients, middleware and transports.
extension PlantedValues {
    static func proxy() -> ProxyServer {
        ProxyServer("http://ann:PLANTED@proxy.test:3128", user: "PLANTED", password: "PLANTED")
    }

    mutating func plantSettings() throws {
        let proxies = ProxyConfiguration.server(Self.proxy())
        var tls = TLSConfiguration()
        tls.identity = TLSConfiguration.ClientIdentity(
            certificate: .text("PLANTED"), key: .text("PLANTED"), passPhrase: "PLANTED")
        var curl = CurlTransport.Configuration()
        (curl.proxy, curl.tls) = (proxies, tls)
        var socket = CurlWebSocketTransport.Configuration()
        (socket.proxy, socket.tls) = (proxies, tls)
        plant(
            Self.proxy(), proxies, tls, try required(tls.identity), PEM.text("PLANTED"),
            TLSConfiguration.Trust.authorities(.text("PLANTED")), curl, socket)
        let credential = try Credential.apiKey("PLANTED")
        var renewable = credential
        renewable.renewal = "PLANTED"
        let authorization = try Authorization(scheme: "Digest", parameters: [.init("response", "PLANTED")])
        plant(
            OTLPExporter.Configuration(
                endpoint: "http://localhost:4318", headers: [.authorization: "Bearer PLANTED"]))
        plant(renewable, credential, authorization, try Authorization.basic(user: "ann", password: "PLANTED"))
        plant(DigestMiddleware.Credentials(user: "ann", password: "PLANTED"))
        let challenge = try AuthChallenge(
            scheme: "Digest", parameters: [.init("realm", "r"), .init("nonce", "PLANTED")])
        plant(challenge, FieldParameter("nonce", "PLANTED"), try required(DigestChallenge(challenge)))
        var jar = CookieJar()
        jar.store("session=PLANTED; Path=/", from: "https://api.test/", now: Date())
        plant(try required(jar.cookies.first), jar, CookieStore(jar), CookieMiddleware(CookieStore(jar)))
        let token = try JSONCoding.standard.decode(
            OAuthToken.self, from: Bytes(#"{"access_token":"PLANTED","refresh_token":"PLANTED"}"#.utf8))
        plant(token)
        // The error of a server that quotes its input.
        plant(
            try JSONCoding.standard.decode(
                OAuthError.self,
                from: Bytes(
                    #"""
                    {"error":"invalid_grant","error_description":"the token=PLANTED is over",
                     "error_uri":"https://id.test/why?token=PLANTED"}
                    """#.utf8)))
        plant(
            BaseURL(stringLiteral: "https://ann:PLANTED@api.test/v1?api_key=PLANTED"),
            try required(CacheKey(url: Self.url)))
    }

    func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw NetError(.unknown, phase: .preparing, message: "the test's own value is nil") }
        return value
    }

    mutating func plantClients() throws {
        let auth = AuthMiddleware(try .bearer("PLANTED"))
        let foreign = AuthMiddleware(Provider(token: "PLANTED"))
        let configuration = HTTPClient.Configuration(
            baseURL: "https://ann:PLANTED@api.test/v1?api_key=PLANTED", headers: Self.headers,
            modifiers: [Modifier(secret: "PLANTED")], middleware: [auth, foreign, Secretive(secret: "PLANTED")])
        var curl = CurlTransport.Configuration()
        (curl.proxy, curl.connection.unixSockets) = (.server(Self.proxy()), [:])
        let transport = CurlTransport(configuration: curl)
        let client = HTTPClient(configuration: configuration, transport: transport)
        plant(auth, foreign, configuration, client, transport)
        let oauth = OAuthClient(
            tokenURL: "https://ann:PLANTED@id.test/token?key=PLANTED", clientID: "app", clientSecret: "PLANTED",
            client: client)
        let store = Store(secret: "PLANTED")
        var renewing = RefreshingCredentials.Configuration()
        renewing.store = store
        let credentials = RefreshingCredentials(initial: try .bearer("PLANTED"), configuration: renewing) { _ in nil }
        plant(
            oauth, renewing, credentials, AuthMiddleware(credentials),
            oauth.credentials(initial: try .bearer("PLANTED")))
        try plantCredentials()
        try plantDownloads(client)
        plant(
            DigestMiddleware(user: "ann", password: "PLANTED"), EventSource(Self.request(), client: client),
            EventSource(Self.request(), client: client).makeAsyncIterator())
        let decoded = EventSource(Self.request(), client: client).events(decoding: Int.self)
        plant(decoded, decoded.makeAsyncIterator())
        let pages = client.pages(Self.request(), by: .link())
        plant(pages, pages.makeAsyncIterator(), Paging<Int>.Step.url(Self.url), Paging<Int>.link())
        plant(Paging<Int>.Step.item(name: "token", value: "PLANTED"))
        var logger = Logger(label: "test")
        logger[metadataKey: "token"] = "PLANTED"
        plant(LoggingMiddleware(logger: logger), CacheMiddleware(), CoalescingMiddleware())
        var socket = CurlWebSocketTransport.Configuration()
        socket.proxy = .server(Self.proxy())
        let sockets = CurlWebSocketTransport(configuration: socket)
        var environment = CallContext.Environment()
        environment.listeners = [Listener(secret: "PLANTED")]
        let socketConfiguration = WebSocketClient.Configuration(
            baseURL: "wss://api.test/?token=PLANTED", headers: Self.headers, listeners: environment.listeners)
        let socketClient = WebSocketClient(configuration: socketConfiguration, transport: sockets)
        plant(
            sockets, socketClient, socketConfiguration, environment,
            SocketClient(Self.url, client: socketClient))
        plant(
            WebSocketClient(transport: Sockets(secret: "PLANTED")),
            HTTPClient(configuration: configuration, transport: Secretive(secret: "PLANTED")))
    }

    struct Provider: CredentialProvider {
        let token: String
        func credential(for request: PreparedRequest) async throws -> Credential? { try .bearer(token) }
    }

    struct Store: CredentialStore {
        let secret: String
        func load() async throws -> Credential? { nil }
        func save(_ credential: Credential?) async throws {}
    }

    struct Modifier: RequestModifier {
        let secret: String
        func modify(_ request: inout PreparedRequest) {}
    }

    struct Listener: ActivityListener {
        let secret: String
        func record(_ event: ActivityEvent) {}
    }

    struct Sockets: WebSocketTransport {
        let secret: String
        func connect(
            _ request: PreparedRequest, context: CallContext
        ) async throws(NetError) -> WebSocketOpening {
            throw context.error(.unsupported, phase: .connecting, message: "it connects nowhere")
        }
    }

    /// A transport and middleware of an app.
    struct Secretive: Middleware, HTTPTransport {
        let secret: String

        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse { try await next(request, context) }

        func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
            StreamedResponse(head: PlantedValues.head, body: ResponseBody(Bytes(PlantedValues.json.utf8)))
        }
    }

    private mutating func plantDownloads(_ client: HTTPClient) throws {
        let url = "https://ann:PLANTED@files.test/film.mp4?token=PLANTED"
        plant(DownloadRequest(url, headers: Self.headers))
        plant(UploadRequest("/tmp/film.mp4", to: url, headers: Self.headers))
        plant(UploadedFile(path: "/tmp/film.mp4", bytes: 1, uploadProtocol: .tus, location: url))
        var logger = Logger(label: "test")
        logger[metadataKey: "token"] = "PLANTED"
        let configuration = DownloadManager.Configuration(folder: "/nowhere", logger: logger)
        plant(configuration, DownloadManager(client: client, configuration: configuration))
        let json = """
            {"id":"018f0000-0000-7000-8000-000000000000","url":"\(url)","priority":0,"state":"queued","bytes":0,\
            "createdAt":0,"attempt":0}
            """
        let task = try JSONDecoder().decode(DownloadTask.self, from: Data(json.utf8))
        let error = DownloadError(.rejected, message: "refused", url: url)
        plant(task, error, DownloadEvent(task: task, kind: .added), DownloadEvent(task: task, kind: .error(error)))
    }
}

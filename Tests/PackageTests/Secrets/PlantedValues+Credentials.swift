import HTTPTypes
import NetCore
import NetHTTP
import NetOpenAPIRuntime
import NetTesting

/// Credentials, signatures, decisions about attempts, and calls by message.
extension PlantedValues {
    mutating func plantDecisions() {
        let (request, context) = (Self.prepared, Self.context())
        plant(
            FinishedAttempt(request, head: Self.head, body: Bytes("PLANTED".utf8)),
            FinishedAttempt(request, error: Self.error),
            ProposedRedirect(head: Self.head, original: request, request: request),
            RetryChoice.retry(with: request), RedirectChoice.follow(with: request),
            CallResult<Request<String>>(.success("PLANTED"), head: Self.head, body: Bytes("PLANTED".utf8)),
            HeaderMiddleware.accept("PLANTED"), context.beginCall(request))
        var connection = ConnectionConfiguration()
        connection.dnsOverHTTPS = "https://ann:PLANTED@dns.test/?token=PLANTED"
        plant(connection, CaptivePortalProbe(url: "http://ann:PLANTED@h/204?token=PLANTED"))
    }

    mutating func plantCredentials() throws {
        let oauth = OAuthClient(
            tokenURL: "https://id.test/token?key=PLANTED", clientID: "app", clientSecret: "PLANTED",
            client: HTTPClient(baseURL: "https://id.test", transport: MockTransport()))
        let placed = try Credential.apiKey("PLANTED").placed(.query("key"))
        plant(placed, AuthMiddleware(placed), AuthMiddleware(schemes: ["key": placed]))
        plant(try oauth.login(at: "/authorize?key=PLANTED", redirectingTo: "app:/done?token=PLANTED"))
        let key = SignatureKey(sharedSecret: Bytes("PLANTED".utf8), id: "a")
        plant(key, MessageSignature(key: key), MessageSignatureMiddleware(MessageSignature(key: key)))
        let aws = AWSCredentials(accessKeyID: "AKID", secretAccessKey: "PLANTED", sessionToken: "PLANTED")
        plant(aws, AWSSignatureMiddleware(AWSSignature(service: "s3", region: "x"), with: aws))
    }

    private static let device = #"""
        {"device_code":"PLANTED","user_code":"PLANTED","verification_uri":"https://id.test/?key=PLANTED","expires_in":60}
        """#

    mutating func plantMessages() async throws {
        let har = HARListener()
        let client = HTTPClient(
            baseURL: "https://api.test",
            transport: MockTransport([
                Stub(.post, "/login", .json(text: Self.json)),
                Stub(.post, "/rpc", .json(text: #"[{"jsonrpc":"2.0","id":1,"result":"PLANTED"}]"#)),
                Stub(.post, "/device", .json(text: Self.device)),
            ])
        ) { $0.listeners = [har] }
        _ = try? await client.send(Self.request())
        plant(har, JSONRPCError(code: .internalError, message: "PLANTED", data: ["a": "PLANTED"]))
        plant(
            ServerRequest(
                method: "GET", target: "/?key=PLANTED", headers: Self.headers, body: Bytes(Self.json.utf8)),
            ServerResponse(status: 200, headers: Self.headers, body: ResponseBody(Bytes(Self.json.utf8))))
        var batch = JSONRPCBatch()
        let handle = batch.call("login", ["password": "PLANTED"], as: String.self)
        let rpc = JSONRPCClient("rpc", client: client, headers: Self.headers)
        plant(rpc, batch, handle, try await rpc.send(batch))
        let oauth = OAuthClient(tokenURL: "token", clientID: "app", clientSecret: "PLANTED", client: client)
        plant(try await oauth.device(at: "device"))
        plant(MCPClient("mcp", client: client, info: .init(name: "a", version: "1")))
        plant(
            try JSONCoding.standard.decode(
                MCPToolResult.self, from: Bytes(#"{"content":[{"type":"text","text":"PLANTED"}]}"#.utf8)))
    }
}

#if os(Linux)
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import TestSupport
import Testing

/// Tests against the server of PyPI's `mcp`.
@Suite(.timeLimit(.minutes(2))) struct MCPPeerTests {
    static let python = StreamPeer.python(with: "mcp.server.mcpserver", "uvicorn")

    private func refused(_ body: () async throws(APIError<JSONRPCError>) -> Void) async -> APIError<JSONRPCError>? {
        do throws(APIError<JSONRPCError>) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test(.enabled(if: python != nil, "scripts/bootstrap --tests installs mcp"))
    func aSessionOfTheReferenceServerDoesEverything() async throws {
        let peer = try StreamPeer("rpc/mcp_server.py", with: #require(Self.python))
        let client = HTTPClient(baseURL: peer.baseURL)
        for (path, check) in [("mcp", "MCP over streams"), ("json/mcp", "MCP in JSON")] as [(Path, String)] {
            let mcp = MCPClient(path, client: client, info: .init(name: "tests", version: "1"))
            await PeerVerdict.of(check, "nothing before the session") {
                await refused { () async throws(APIError<JSONRPCError>) in _ = try await mcp.tools() }?.netError?.code
                    == .invalidRequest
            }
            await PeerVerdict.of(check, "the session begins") {
                let server = try await mcp.initialize()
                return server.serverInfo == .init(name: "peer", version: "1.2.3") && mcp.isInitialized
                    && server.instructions == "Add numbers." && server.protocolVersion == "2025-11-25"
                    && server.capabilities["tools"] != nil
            }
            await PeerVerdict.of(check, "tools are listed") {
                let tools = try await mcp.tools()
                let add = try #require(tools.first { $0.name == "add" })
                return tools.count == 8 && add.description == "The sum of two numbers."
                    && add.inputSchema["properties"]?["a"]?["type"] == "integer"
            }
            await PeerVerdict.of(check, "a tool is called") {
                let result = try await mcp.call("add", ["a": 40, "b": 2])
                return result.text == "42" && result.structuredContent == ["result": 42] && !result.isError
            }
            await PeerVerdict.of(check, "a tool that fails says so") {
                let result = try await mcp.call("fail")
                return result.isError && result.text.contains("fail")
                    && !"\(result)".contains("Error")
            }
            await PeerVerdict.of(check, "session and version are sent") {
                try await mcp.call("headers").text == "2025-11-25 32"
            }
            await PeerVerdict.of(check, "an unknown method is an error") {
                await refused { () async throws(APIError<JSONRPCError>) in
                    _ = try await mcp.request("no/such", [String: String](), as: JSONValue.self)
                }?.rejection?.failure.code == .methodNotFound
            }
            await PeerVerdict.of(check, "other requests of the protocol") {
                try await mcp.request("ping", [String: String](), as: JSONValue.self) == [:]
            }
            await PeerVerdict.of(check, "the session ends") {
                try await mcp.close()
                try await mcp.close()
                return !mcp.isInitialized
            }
        }
        try await streams(HTTPClient(baseURL: peer.baseURL))
        await client.shutdown()
        withExtendedLifetime(peer) {}
    }

    /// Tests the features that require streams.
    private func streams(_ client: HTTPClient) async throws {
        let check = "MCP over streams"
        let mcp = MCPClient("mcp", client: client, info: .init(name: "tests", version: "1"))
        try await mcp.initialize()
        await PeerVerdict.of(check, "progress is told in order") {
            let seen = Locked<[Int?]>([])
            let result = try await mcp.call("progress", ["steps": 3]) { notification in
                seen.change { $0.append(notification.parameters?["progress"]?.intValue) }
            }
            return result.text == "done" && seen.value == [1, 2, 3]
        }
        await PeerVerdict.of(check, "a stream that is cut is resumed") {
            let seen = Locked<[Int?]>([])
            let result = try await mcp.call("dropped") { notification in
                seen.change { $0.append(notification.parameters?["progress"]?.intValue) }
            }
            return result.text == "after all" && seen.value == [1, 2]
        }
        let told = Locked<[String]>([])
        let notifications = try mcp.notifications()
        let listener = Task {
            for try await notification in notifications { told.change { $0.append(notification.method) } }
        }
        await PeerVerdict.of(check, "notifications arrive on a stream of their own") {
            // Notifications sent before the stream is open aren't received on it.
            while told.value.isEmpty {
                guard try await mcp.call("wave").text == "waved" else { return false }
                await Task.yield()
            }
            return told.value.allSatisfy { $0 == "notifications/tools/list_changed" }
        }
        // Both arrive on that stream as well.
        await PeerVerdict.of(check, "pings of the server are answered") {
            try await mcp.call("ping").text == "pong"
        }
        await PeerVerdict.of(check, "other requests of the server are refused") {
            try await mcp.call("ask").text.hasPrefix("refused")
        }
        listener.cancel()
        _ = await listener.result
        await PeerVerdict.of(check, "a session that the server has ended is over") {
            // Another client ends the same session.
            let spy = SessionSpy()
            let watched = client.with { $0.middleware = [spy] }
            let own = MCPClient("mcp", client: watched, info: .init(name: "tests", version: "1"))
            try await own.initialize()
            var request = Request<Void>("mcp", method: .delete, serializer: .discard)
            request.headers["Mcp-Session-Id"] = spy.session.value
            try await client.send(request)
            let error = await refused { () async throws(APIError<JSONRPCError>) in _ = try await own.tools() }
            guard error?.status == 404, !own.isInitialized,
                !"\(String(describing: error))".contains(spy.session.value ?? "-")
            else { return false }
            try await own.initialize()
            return try await own.call("add", ["a": 1, "b": 1]).text == "2"
        }
        await PeerVerdict.of(check, "the ID of a session isn't shown") {
            let spy = SessionSpy()
            let own = MCPClient(
                "mcp", client: client.with { $0.middleware = [spy] }, info: .init(name: "tests", version: "1"))
            try await own.initialize()
            var text = "\(own)"
            dump(own, to: &text)
            return try !text.contains(#require(spy.session.value))
        }
        try await mcp.close()
        await client.shutdown()
    }

    /// Records the session that a response began.
    private struct SessionSpy: Middleware {
        let session = Locked<String?>(nil)

        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            let response = try await next(request, context)
            if let id = response.head["Mcp-Session-Id"] { session.change { $0 = id } }
            return response
        }
    }
}
#endif

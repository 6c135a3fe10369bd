public import NetCore
internal import Synchronization

/// A client for servers of the Model Context Protocol over HTTP (its "Streamable HTTP" transport).
///
///     let mcp = MCPClient("mcp", client: client, info: .init(name: "example", version: "1.0"))
///     let server = try await mcp.initialize()
///     print(server.serverInfo.name, try await mcp.tools().map(\.name))
///     let result = try await mcp.call("add", ["a": 1, "b": 2])
///     print(result.text)
///     try await mcp.close()
///
/// A stream that is lost before its response has arrived is resumed with `Last-Event-ID` if the server sends event
/// IDs. Requests from the server are rejected, because this client has no capabilities, except for pings, to which it
/// responds.
///
/// The server may end the session at any time: a call then throws the status 404, and ``isInitialized`` is false.
/// Call ``initialize()`` again to begin a new session.
public final class MCPClient: Sendable {
    /// The protocol versions that this client supports, newest first; it requests the first one.
    public static let protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26"]

    private struct State {
        var lastID: Int64 = 0
        var session: MCPSession?
    }

    let wire: MCPWire
    private let info: MCPServer.Implementation
    private let state = Mutex(State())

    /// The maximum number of pages that ``tools()`` reads.
    private static let maximumPages = 1000

    /// Creates a client; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - path: The path of the endpoint, relative to the client's base URL.
    ///   - client: The client that sends the requests, with its middleware, such as `AuthMiddleware`.
    ///   - info: The name and version of the app, for the server.
    ///   - reconnection: The rules for resuming a lost stream, and the limits of its events. Default those of
    ///     ``EventSource/Configuration``.
    public init(
        _ path: Path, client: HTTPClient, info: MCPServer.Implementation,
        reconnection: EventSource.Configuration = EventSource.Configuration()
    ) {
        wire = MCPWire(path: path, client: client, reconnection: reconnection)
        self.info = info
    }

    /// True from ``initialize()`` until the end of the session.
    public var isInitialized: Bool { state.withLock { $0.session != nil } }

    /// Begins a session and returns the server's description. Replaces an existing session of this client.
    ///
    /// Throws `.rejected` with the server's error, and `.failed` with `.unsupported` if the server supports none of
    /// ``protocolVersions``.
    @discardableResult
    public func initialize() async throws(APIError<JSONRPCError>) -> MCPServer {
        let parameters = Initialization(
            protocolVersion: Self.protocolVersions[0], capabilities: [:], clientInfo: info)
        state.withLock { $0.session = nil }
        let (result, head) = try await wire.call("initialize", parameters, id: nextID(), session: nil) { _ in }
        let server = try decoded(result, as: MCPServer.self)
        guard Self.protocolVersions.contains(server.protocolVersion) else {
            throw .failed(
                NetError(
                    .unsupported, phase: .validating,
                    message: "the server uses another version of the Model Context Protocol than "
                        + Self.protocolVersions.joined(separator: ", ")))
        }
        let session = MCPSession(id: head[.mcpSessionID], version: server.protocolVersion)
        try await wire.post(
            JSONRPCOutgoing(method: "notifications/initialized", parameters: nil, id: nil), session: session)
        state.withLock { $0.session = session }
        return server
    }

    /// Returns all tools of the server. Throws like ``request(_:_:as:onNotification:)``.
    public func tools() async throws(APIError<JSONRPCError>) -> [MCPTool] {
        var tools: [MCPTool] = []
        var cursor: String?
        for _ in 0..<Self.maximumPages {
            let page = try await request(
                "tools/list", cursor.map { ["cursor": $0] } ?? [:], as: Tools.self)
            tools += page.tools
            guard let next = page.nextCursor, next != cursor else { return tools }
            cursor = next
        }
        throw .failed(
            NetError(
                .protocolViolation, phase: .validating,
                message: "the server has more than \(Self.maximumPages) pages of tools"))
    }

    /// Calls a tool. Throws like ``request(_:_:as:onNotification:)``; if the tool itself fails, the result's
    /// ``MCPToolResult/isError`` is true.
    ///
    /// - Parameters:
    ///   - tool: The name of the tool.
    ///   - arguments: The arguments, as described by the tool's schema. Default none.
    ///   - onNotification: Called for each notification that the server sends while the tool runs, such as its
    ///     progress, in order. Default nil.
    @discardableResult
    public func call(
        _ tool: String, _ arguments: some Encodable & Sendable = [String: String](),
        onNotification: (@Sendable (MCPNotification) -> Void)? = nil
    ) async throws(APIError<JSONRPCError>) -> MCPToolResult {
        let id = nextID()
        // The server sends progress only if the request contains a token.
        let meta = onNotification == nil ? nil : ["progressToken": id]
        let parameters = ToolCall(name: tool, arguments: arguments, meta: meta)
        return try await request("tools/call", parameters, id: id, onNotification: onNotification)
    }

    /// Sends a request of the protocol, such as `resources/list` or `prompts/get`, and returns its result.
    ///
    /// Throws `.rejected` with the server's error, and `.failed` for everything else: `.invalidRequest` before
    /// ``initialize()``, the status 404 if the session has ended, `.decoding` if the result isn't a `Value`.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - parameters: The parameters, by name.
    ///   - type: The type of the result.
    ///   - onNotification: Called for each notification that the server sends while it processes the request, in
    ///     order. Default nil.
    public func request<Value: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable, as type: Value.Type = Value.self,
        onNotification: (@Sendable (MCPNotification) -> Void)? = nil
    ) async throws(APIError<JSONRPCError>) -> Value {
        try await request(method, parameters, id: nextID(), onNotification: onNotification)
    }

    /// Sends a notification, which has no response, such as `notifications/roots/list_changed`.
    public func notify(
        _ method: String, _ parameters: (some Encodable & Sendable)? = [String: String]?.none
    ) async throws(APIError<JSONRPCError>) {
        let session = try session()
        let message = JSONRPCOutgoing(method: method, parameters: parameters, id: nil)
        do throws(APIError<JSONRPCError>) {
            try await wire.post(message, session: session)
        } catch {
            throw noted(error, session)
        }
    }

    /// Returns the notifications that the server sends outside of requests. While it's iterated, the stream
    /// reconnects after a lost connection, with `Last-Event-ID`.
    ///
    ///     let mcp = MCPClient("mcp", client: client, info: .init(name: "example", version: "1.0"))
    ///     try await mcp.initialize()
    ///     for try await notification in try mcp.notifications() { print(notification.method) }
    ///
    /// One task iterates at a time. Iterating throws the status 405 if the server has no such stream, and 404 if the
    /// session has ended. Throws `.invalidRequest` before ``initialize()``.
    public func notifications() throws(NetError) -> MCPNotifications {
        do throws(APIError<JSONRPCError>) {
            let session = try session()
            return MCPNotifications(wire: wire, session: session, source: wire.listen(session, from: ""))
        } catch {
            throw error.netError ?? NetError(.unknown, phase: .preparing, message: "\(error)")
        }
    }

    /// Ends the session. Throws nothing if the server doesn't let clients end sessions, or has already ended the
    /// session. Without a session, nothing is sent.
    public func close() async throws(APIError<JSONRPCError>) {
        guard let session = state.withLock({ $0.session.take() }), session.id != nil else { return }
        try await wire.end(session)
    }

    private func request<Value: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable & Sendable, id: JSONRPCID,
        onNotification: (@Sendable (MCPNotification) -> Void)?
    ) async throws(APIError<JSONRPCError>) -> Value {
        let session = try session()
        do throws(APIError<JSONRPCError>) {
            let (result, _) = try await wire.call(method, parameters, id: id, session: session) { onNotification?($0) }
            return try decoded(result, as: Value.self)
        } catch {
            throw noted(error, session)
        }
    }

    private func nextID() -> JSONRPCID {
        state.withLock { state in
            state.lastID += 1
            return .number(state.lastID)
        }
    }

    private func session() throws(APIError<JSONRPCError>) -> MCPSession {
        if let session = state.withLock({ $0.session }) { return session }
        throw .failed(
            NetError(
                .invalidRequest, phase: .preparing, message: "there is no MCP session; call initialize() first"))
    }

    /// Discards the session if the server has ended it.
    private func noted(_ error: APIError<JSONRPCError>, _ session: MCPSession) -> APIError<JSONRPCError> {
        if error.status == 404 {
            state.withLock { state in
                if state.session == session { state.session = nil }
            }
        }
        return error
    }

    private func decoded<Value: Decodable>(
        _ result: JSONValue, as type: Value.Type
    ) throws(APIError<JSONRPCError>) -> Value {
        do {
            return try result.decoded(as: type)
        } catch {
            throw .failed(
                NetError(
                    .decoding, phase: .decoding,
                    message: "the result isn't a \(type): " + DecodingFailure.describe(error),
                    underlying: error))
        }
    }
}

extension MCPClient {
    private struct Initialization: Encodable, Sendable {
        let protocolVersion: String
        let capabilities: [String: String]
        let clientInfo: MCPServer.Implementation
    }

    private struct Tools: Decodable, Sendable {
        let tools: [MCPTool]
        let nextCursor: String?
    }

    private struct ToolCall<Arguments: Encodable & Sendable>: Encodable, Sendable {
        let name: String
        let arguments: Arguments
        let meta: [String: JSONRPCID]?

        private enum CodingKeys: String, CodingKey {
            case name, arguments
            case meta = "_meta"
        }
    }
}

extension MCPClient: CustomReflectable {
    /// Shows whether there is a session, but not its ID, which is a secret.
    public var customMirror: Mirror { Mirror(self, children: ["isInitialized": isInitialized]) }
}

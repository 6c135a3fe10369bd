internal import HTTPTypes
internal import NetCore

/// A session: the protocol version and, if the server assigned one, the ID that each request repeats.
struct MCPSession: Sendable, Hashable, CustomReflectable {
    let id: String?
    let version: String

    /// Omits the ID, which is enough to use the session.
    var customMirror: Mirror { Mirror(self, children: ["version": version]) }
}

/// Sends and receives the messages of an MCP client over HTTP.
struct MCPWire: Sendable {
    let path: Path
    let client: HTTPClient
    let reconnection: EventSource.Configuration

    /// Sends a request and returns its result with the head of the response.
    func call(
        _ method: String, _ parameters: (any Encodable & Sendable)?, id: JSONRPCID, session: MCPSession?,
        onNotification: @Sendable (MCPNotification) -> Void
    ) async throws(APIError<JSONRPCError>) -> (JSONValue, ResponseHead) {
        let message = JSONRPCOutgoing(method: method, parameters: parameters, id: id)
        let response = try await send(.post, .json(message), named: method, session)
        var last = ""
        do throws(NetError) {
            guard response[.contentType]?.lowercased().hasPrefix("text/event-stream") == true else {
                let incoming: JSONRPCIncoming = try await response.decode(upTo: reconnection.maximumEventBytes)
                return (try result(of: incoming, id, response.head), response.head)
            }
            let events = ServerSentEvents(response.body, maximumEventBytes: reconnection.maximumEventBytes)
            do throws(NetError) {
                for try await event in events {
                    if let found = try await read(event, id, session, onNotification) {
                        events.finish()
                        return (try result(of: found, id, response.head), response.head)
                    }
                }
            } catch {
                // A lost stream is resumed below if its events have IDs.
                guard error.isConnectivity || error.isTimeout, !events.lastEventID.isEmpty else { throw error }
            }
            last = events.lastEventID
            guard !last.isEmpty else {
                throw NetError(
                    .protocolViolation, phase: .receiving, message: "the stream ended before the response arrived")
            }
            let source = listen(session, from: last, wait: events.reconnectionTime)
            for try await event in source {
                if let found = try await read(event, id, session, onNotification) {
                    source.finish()
                    return (try result(of: found, id, response.head), response.head)
                }
            }
            throw NetError(
                .protocolViolation, phase: .receiving, message: "the resumed stream ended before the response arrived")
        } catch {
            if let refusal = error.underlying as? JSONRPCError {
                throw .rejected(refusal, RejectedResponse(head: response.head, call: error.call))
            }
            throw .failed(error)
        }
    }

    /// Sends a message without a response.
    func post(
        _ message: some Encodable & Sendable, session: MCPSession?
    ) async throws(APIError<JSONRPCError>) {
        let response = try await send(.post, .json(message), named: "mcp-message", session)
        await response.discardBody()
    }

    /// Ends a session.
    func end(_ session: MCPSession) async throws(APIError<JSONRPCError>) {
        do throws(APIError<JSONRPCError>) {
            let response = try await send(.delete, .none, named: "mcp-end", session)
            await response.discardBody()
        } catch {
            guard let status = error.status, [404, 405].contains(status) else { throw error }
        }
    }

    /// Returns the server's event stream, starting after an event.
    func listen(_ session: MCPSession?, from lastEventID: String, wait: Duration? = nil) -> EventSource {
        var configuration = reconnection
        configuration.lastEventID = lastEventID
        if let wait { configuration.reconnectionTime = min(wait, configuration.maximumReconnectionTime) }
        let request = Request<Void>(path, headers: headers(session), options: Self.options("mcp-listen"))
        return EventSource(request, client: client, configuration: configuration)
    }

    /// Returns the response to the request if the event contains it. Forwards notifications, and responds to the
    /// server's requests.
    func read(
        _ event: ServerSentEvent, _ id: JSONRPCID?, _ session: MCPSession?,
        _ onNotification: (MCPNotification) -> Void
    ) async throws(NetError) -> JSONRPCIncoming? {
        // An event without data only provides an ID to resume from.
        guard event.event == "message", !event.data.isEmpty else { return nil }
        let incoming: JSONRPCIncoming
        do {
            incoming = try JSONCoding.standard.decode(JSONRPCIncoming.self, from: Bytes(event.data.utf8))
        } catch {
            throw NetError(
                .decoding, phase: .decoding,
                message: "an event isn't a message of JSON-RPC: " + DecodingFailure.describe(error), underlying: error)
        }
        guard let method = incoming.method else { return incoming.id == id && id != nil ? incoming : nil }
        guard let question = incoming.id else {
            onNotification(MCPNotification(method: method, parameters: incoming.parameters))
            return nil
        }
        let answer =
            method == "ping"
            ? JSONRPCAnswer(id: question, result: [:], error: nil)
            : JSONRPCAnswer(
                id: question, result: nil,
                error: JSONRPCError(code: .methodNotFound, message: "this client has no such method"))
        do throws(APIError<JSONRPCError>) {
            try await post(answer, session: session)
        } catch {
            throw NetError(error) ?? NetError(.unknown, phase: .sending, message: "\(error)")
        }
        return nil
    }

    private func result(
        of incoming: JSONRPCIncoming, _ id: JSONRPCID, _ head: ResponseHead
    ) throws(NetError) -> JSONValue {
        if let error = incoming.error {
            throw NetError(.unknown, phase: .validating, message: "\(error)", underlying: error)
        }
        guard incoming.id == id, let result = incoming.result else {
            throw NetError(
                .protocolViolation, phase: .validating, message: "the response belongs to another request")
        }
        return result
    }

    private func send(
        _ method: HTTPRequest.Method, _ body: RequestBody, named name: String, _ session: MCPSession?
    ) async throws(APIError<JSONRPCError>) -> StreamedResponse {
        var headers = headers(session)
        headers[.accept] = "application/json, text/event-stream"
        let request = MCPRequest(
            path: path, method: method, headers: headers, body: body, options: Self.options(name))
        do throws(APIError<JSONRPCRefusal>) {
            return try await client.stream(request)
        } catch {
            switch error {
            case .rejected(let refusal, let response): throw .rejected(refusal.error, response)
            case .failed(let error): throw .failed(error)
            }
        }
    }

    private func headers(_ session: MCPSession?) -> HTTPFields {
        var headers: HTTPFields = [:]
        guard let session else { return headers }
        headers[.mcpSessionID] = session.id
        headers[.mcpProtocolVersion] = session.version
        return headers
    }

    private static func options(_ name: String) -> RequestOptions {
        RequestOptions(metadata: RequestMetadata(name: name))
    }
}

private struct MCPRequest: APIRequest {
    typealias Response = Void
    typealias Failure = JSONRPCRefusal

    let path: Path
    let method: HTTPRequest.Method
    let headers: HTTPFields
    let body: RequestBody
    let options: RequestOptions
}

extension HTTPField.Name {
    static let mcpSessionID = known("Mcp-Session-Id")
    static let mcpProtocolVersion = known("Mcp-Protocol-Version")

    /// The fallback is never used, since the names are tokens.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .eTag }
}

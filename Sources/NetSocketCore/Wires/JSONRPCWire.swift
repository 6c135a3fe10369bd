internal import NetCore

extension SocketWire {
    /// JSON-RPC 2.0, according to its [specification](https://www.jsonrpc.org/specification), with one message or
    /// batch per WebSocket message.
    ///
    /// ```text
    /// {"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}
    /// {"jsonrpc":"2.0","result":19,"id":1}
    /// {"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"2"}
    /// {"jsonrpc":"2.0","method":"update","params":[1,2,3]}
    /// ```
    ///
    /// Both ends may send requests. A request without an ID is a notification; if a server sends it, it is a push. The
    /// payload of a request, a notification or a push is `params`, which must be an object or an array; a nil payload
    /// is omitted. The payload of a reply is `result`; a nil payload is written as `null`. IDs keep their type.
    ///
    /// The code of a failure is the error's integer as text, and its details are the `data`. A code that isn't an
    /// integer is written as -32000 with the data `{"code":…,"details":…}`, and read back from it.
    ///
    /// A batch is read as the signals of its members, in order. The response to its requests is one batch, sent after
    /// the last reply; batches are never sent otherwise. A server responds to every invalid message, with the error
    /// -32700 (invalid JSON) or -32600 and the ID `null`; a client, only to an invalid request, with -32600.
    ///
    /// Limits: there are no channels, subscriptions and heartbeats, no opening message, and a request can't be
    /// cancelled. `.open`, `.opened` and `.end` write nothing. A peer may omit the member `jsonrpc`, as some do. At most
    /// 1,024 responses wait until the response to their batch is complete; beyond that, each request of a batch gets a
    /// separate response. The response to a batch contains at most 1,024 errors for invalid members.
    public static let jsonRPC = SocketWire(
        JSONRPCWire.name, features: [.requests, .notifications, .pushes, .uniformPushes], refusals: JSONRPCWire.refusals
    ) { role in JSONRPCWire(role: role) }
}

/// One end of JSON-RPC 2.0.
///
/// | message | client reads | server reads |
/// |---|---|---|
/// | `method` with an ID | request | request |
/// | `method` without an ID | push | request without a reply |
/// | `result` or `error` | reply | reply |
/// | an array | the signals of its members | the signals of its members |
/// | another object or value | an error | nothing, with an error as the response |
struct JSONRPCWire: WireMachine {
    static let name = "jsonrpc-2.0"
    /// The errors of section 5.1 of the specification.
    static let refusals = WireRefusals(
        unknown: SocketFailure("-32601", "Method not found"), unreadable: SocketFailure("-32602", "Invalid params"),
        failed: SocketFailure("-32603", "Internal error"))

    let role: WebSocketRole
    /// The peer's batches with missing replies.
    private var batches = JSONRPCBatches()

    init(role: WebSocketRole) {
        self.role = role
    }

    // MARK: Writing

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        switch (signal, role) {
        case (.request(let request), _) where request.topic == nil && (role == .client || request.id != nil):
            return [.text(try Self.call(request.event, request.id, request.payload))]
        case (.push(let push), .server) where push.topic == nil:
            return [.text(try Self.call(push.event, nil, push.payload))]
        case (.reply(let reply), _) where reply.topic == nil:
            return batches.complete(reply.id, with: try Self.text(reply)).map { [.text($0)] } ?? []
        case (.open, .client), (.opened, .server), (.end, _): return []
        case (.request(let request), _) where request.topic != nil: throw Self.noChannels
        case (.push(let push), _) where push.topic != nil: throw Self.noChannels
        case (.reply, _): throw Self.noChannels
        default: throw SocketWire.unsupported(signal, from: role, by: Self.name)
        }
    }

    private static var noChannels: NetError { SocketWire.unsupported("channels", by: name) }

    private static func call(
        _ method: String, _ id: SocketID?, _ payload: SocketPayload?
    ) throws(NetError) -> String {
        var text = "{\"jsonrpc\":\"2.0\""
        text.appendMember("method", method)
        if let payload {
            let params = try payload.json(by: name)
            let first = params.utf8.first { ![0x20, 0x0a, 0x0d, 0x09].contains($0) }
            guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
                throw SocketWire.unwritable("the parameters must be a JSON object or array", by: name)
            }
            text.appendName("params")
            text += params
        }
        if let id {
            text.appendName("id")
            text += id.jsonRPC
        }
        return text + "}"
    }

    private static func text(_ reply: WireReply) throws(NetError) -> String {
        var text = "{\"jsonrpc\":\"2.0\""
        switch reply.outcome {
        case .success(let payload):
            text.appendName("result")
            text += try payload?.json(by: name) ?? "null"
        case .failure(let failure):
            let number = Int64(failure.code).flatMap { String($0) == failure.code ? $0 : nil }
            text.appendName("error")
            text += "{\"code\":\(number ?? -32000)"
            text.appendMember("message", failure.message)
            let data = number == nil ? try failure.codedData(by: name) : try failure.details?.json(by: name)
            if let data {
                text.appendName("data")
                text += data
            }
            text += "}"
        }
        text.appendName("id")
        return text + reply.id.jsonRPC + "}"
    }

    // MARK: Reading

    /// The responses to messages that aren't valid requests (section 5.1 of the specification).
    private static let parseError = error(-32700, "Parse error")
    private static let invalidRequest = error(-32600, "Invalid Request")

    private static func error(_ code: Int, _ message: String) -> String {
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":\(code),\"message\":\"\(message)\"},\"id\":null}"
    }

    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        guard let text = message.text else {
            return try refused(SocketWire.unreadable(message, "it is binary", by: Self.name))
        }
        var members: [JSONRPCMessage] = []
        let isBatch: Bool
        do throws(JSONSlice.Problem) {
            let slice = try JSONSlice(text)
            isBatch = slice.isArray
            for value in isBatch ? try slice.elements() : [slice] { members.append(try JSONRPCMessage(value, role)) }
        } catch {
            return try refused(SocketWire.unreadable(message, error.text, by: Self.name))
        }
        let signals = members.compactMap(\.signal)
        let errors = members.filter { $0.signal == nil && (role == .server || $0.isRequest) }
            .prefix(JSONRPCBatches.maximum).map { _ in Self.invalidRequest }
        guard role == .server || !signals.isEmpty || !errors.isEmpty else {
            throw SocketWire.unreadable(message, "it is neither a request nor a response", by: Self.name)
        }
        var reading = WireReading(signals)
        if isBatch, !members.isEmpty {
            reading.responses = batches.open(signals, errors).map { [.text($0)] } ?? []
        } else if signals.isEmpty {
            reading.responses = [.text(Self.invalidRequest)]
        }
        if signals.isEmpty {
            reading.unreadable = SocketWire.unreadable(message, "it isn't a request", by: Self.name).message
        }
        return reading
    }

    /// Returns the response of a server to text that isn't JSON, or to bytes; a client throws the error.
    private func refused(_ error: NetError) throws(NetError) -> WireReading {
        guard role == .server else { throw error }
        var reading = WireReading(responses: [.text(Self.parseError)])
        reading.unreadable = error.message
        return reading
    }
}

import NetCore
import NetSocketCore

struct DevToolsWire: WireMachine {
    private struct Message: Codable {
        var id: UInt64?
        var sessionId: String?
        var method: String?
        var params: JSONValue?
        var result: JSONValue?
        var error: Problem?
    }
    private struct Problem: Codable {
        var code: Int
        var message: String
    }

    mutating func encode(_ signal: WireSignal) throws(NetError) -> [WebSocketMessage] {
        guard case .request(let request) = signal, case .number(let id)? = request.id else {
            throw NetError(.unsupported, phase: .preparing, message: "DevTools takes commands with a reply")
        }
        let params = try request.payload.map { payload throws(NetError) in try payload.decoded(as: JSONValue.self) }
        let message = Message(id: id, sessionId: request.topic, method: request.event, params: params)
        return [.text(try SocketPayload(message).json ?? "{}")]
    }
    mutating func decode(_ message: WebSocketMessage) throws(NetError) -> WireReading {
        let message = try SocketPayload(json: message.text ?? "").decoded(as: Message.self)
        let payload = try SocketPayload(message.result ?? message.params ?? .object([:]))
        if let id = message.id {
            let failure = message.error.map { WireReply.Outcome.failure(SocketFailure("\($0.code)", $0.message)) }
            return WireReading([
                .reply(WireReply(id: .number(id), topic: message.sessionId, failure ?? .success(payload)))
            ])
        }
        guard let method = message.method else {
            throw NetError(.decoding, phase: .decoding, message: "a message of DevTools needs an id or a method")
        }
        return WireReading([.push(WirePush(event: method, payload: payload, topic: message.sessionId))])
    }
}

internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HARWriter {
    /// The members of an entry that hold a WebSocket. `_webSocketMessages` is what Chromium's developer tools write.
    func members(of socket: RecordedSocket, _ exchange: CapturedExchange) -> [String: JSONValue] {
        var time = exchange.recordedAt.timeIntervalSince1970 + exchange.duration.inSeconds
        let messages = socket.messages.map { recorded -> JSONValue in
            time += recorded.delay.inSeconds
            return Self.message(recorded, at: time)
        }
        var members: [String: JSONValue] = [
            "_resourceType": "websocket", "_webSocketMessages": .array(messages),
        ]
        if let ending = socket.ending { members["_webSocketEnd"] = Self.end(ending, after: socket.endDelay) }
        if socket.isCut { members["_webSocketIsCut"] = true }
        return members
    }

    /// The opcode tells text (1) from bytes (2), which are in base64.
    private static func message(_ recorded: RecordedSocket.Message, at time: Double) -> JSONValue {
        let data: String
        switch recorded.message {
        case .text(let text): data = text
        case .binary(let bytes): data = bytes.data.base64EncodedString()
        }
        return [
            "type": recorded.sender == .client ? "send" : "receive", "time": .number(time),
            "opcode": recorded.message.kind == .text ? 1 : 2, "data": .string(data),
        ]
    }

    private static func end(_ ending: RecordedSocket.Ending, after delay: Duration) -> JSONValue {
        let after = CassetteWriter.milliseconds(delay)
        switch ending {
        case .closed(let code, let reason, let side):
            return [
                "type": side == .client ? "send" : "receive", "code": .integer(Int64(code.rawValue)),
                "reason": .string(reason), "after": after,
            ]
        case .failed(let failure): return ["error": .string("\(failure.code): \(failure.message)"), "after": after]
        }
    }
}

internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HARWriter {
    /// Returns the entry members that describe a WebSocket. Chromium's developer tools write `_webSocketMessages`.
    func members(of socket: RecordedSocket, _ exchange: CapturedExchange) -> [String: JSONValue] {
        // Adds up durations: the rounding errors of thousands of messages would add up too.
        var time = exchange.duration
        let start = exchange.recordedAt.timeIntervalSince1970
        let messages = socket.messages.map { recorded -> JSONValue in
            time += recorded.delay
            var message = HARMessage(isSent: recorded.sender == .client, opcode: 1, text: "")
            switch recorded.message {
            case .text(let text): message.text = text
            case .binary(let bytes): (message.opcode, message.bytes) = (2, bytes)
            }
            message.time = start + time.inSeconds
            return message.value
        }
        var members: [String: JSONValue] = [
            "_resourceType": "websocket", "_webSocketMessages": .array(messages),
        ]
        if let ending = socket.ending { members["_webSocketEnd"] = Self.end(ending, after: socket.endDelay) }
        if socket.isCut { members["_webSocketIsCut"] = true }
        return members
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

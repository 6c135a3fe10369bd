internal import NetCore

extension CassetteWriter {
    mutating func socket(_ socket: RecordedSocket) -> JSONValue {
        var messages: [JSONValue] = []
        for message in socket.messages { messages.append(self.message(message)) }
        var value: [String: JSONValue] = ["messages": .array(messages)]
        if let ending = socket.ending { value["end"] = Self.end(ending, after: socket.endDelay) }
        if socket.isCut { value["isCut"] = true }
        return .object(value)
    }

    /// Text is always written as text, whatever its length; anything else as a binary message.
    private mutating func message(_ recorded: RecordedSocket.Message) -> JSONValue {
        var value: [String: JSONValue]
        switch recorded.message {
        case .text(let text):
            let lines = BodyText.lines(Bytes(text.utf8)) ?? [text]
            value = ["text": .array(lines.map { .string($0) })]
        case .binary(let bytes): value = binary(bytes)
        }
        value["from"] = .string(recorded.sender.rawValue)
        if recorded.delay > .zero { value["after"] = Self.milliseconds(recorded.delay) }
        return .object(value)
    }

    private static func end(_ ending: RecordedSocket.Ending, after delay: Duration) -> JSONValue {
        var value: [String: JSONValue]
        switch ending {
        case .closed(let code, let reason, let side):
            value = ["from": .string(side.rawValue), "code": .integer(Int64(code.rawValue))]
            if !reason.isEmpty { value["reason"] = .string(reason) }
        case .failed(let failure): value = ["failure": Self.failure(failure)]
        }
        if delay > .zero { value["after"] = milliseconds(delay) }
        return .object(value)
    }
}

internal import NetCore

/// The binary messages of version 2: a kind, the lengths of the texts in one byte each, the texts, and the payload.
///
/// | kind | sender | texts |
/// |---|---|---|
/// | 0, push | client | join_ref, ref, topic, event |
/// | 0, push | server | join_ref, topic, event |
/// | 1, reply | server | join_ref, ref, topic, status |
/// | 2, broadcast | server | topic, event |
extension PhoenixMessage {
    private static let push: UInt8 = 0
    private static let answer: UInt8 = 1
    private static let broadcast: UInt8 = 2

    /// Returns the message encoded by an end, with a payload of bytes.
    func bytes(by role: WebSocketRole) throws(NetError) -> Bytes {
        let (join, reference) = (joinRef?.description ?? "", ref?.description ?? "")
        let (kind, texts): (UInt8, [String])
        switch content {
        case .reply(let status, _): (kind, texts) = (Self.answer, [join, reference, topic, status])
        case .payload where role == .client: (kind, texts) = (Self.push, [join, reference, topic, event])
        case .payload where join.isEmpty: (kind, texts) = (Self.broadcast, [topic, event])
        case .payload: (kind, texts) = (Self.push, [join, topic, event])
        }
        guard texts.allSatisfy({ $0.utf8.count <= UInt8.max }) else {
            throw PhoenixVersion.v2.unsupported(
                "references, topics and events of more than 255 bytes in binary messages")
        }
        var bytes = [kind]
        bytes.reserveCapacity(1 + texts.reduce(payload?.count ?? 0) { $0 + 1 + $1.utf8.count })
        bytes += texts.map { UInt8($0.utf8.count) }
        for text in texts { bytes += text.utf8 }
        bytes += payload?.bytes ?? Bytes()
        return Bytes(bytes)
    }

    /// Parses a message at an end; nil if it isn't a message that the other end sends.
    init?(_ bytes: Bytes, at role: WebSocketRole) {
        let count: Int
        switch (bytes.first, role) {
        case (Self.push, .server), (Self.answer, .client): count = 4
        case (Self.push, .client): count = 3
        case (Self.broadcast, .client): count = 2
        default: return nil
        }
        guard bytes.count > count else { return nil }
        var texts: [String] = []
        var start = 1 + count
        for index in 1...count {
            let end = start + Int(bytes[index])
            guard end <= bytes.count, let text = String(validating: bytes[start..<end] as Bytes, as: UTF8.self) else {
                return nil
            }
            texts.append(text)
            start = end
        }
        func reference(_ text: String) -> SocketID? { text.isEmpty ? nil : SocketID(text) }
        let payload = SocketPayload(bytes: bytes[start..<bytes.count])
        switch (bytes.first, count) {
        case (Self.answer, _):
            self.init(
                joinRef: reference(texts[0]), ref: reference(texts[1]), topic: texts[2], status: texts[3], payload)
        case (_, 4):
            self.init(
                joinRef: reference(texts[0]), ref: reference(texts[1]), topic: texts[2], event: texts[3], payload)
        case (_, 3):
            self.init(joinRef: reference(texts[0]), ref: nil, topic: texts[1], event: texts[2], payload)
        default: self.init(joinRef: nil, ref: nil, topic: texts[0], event: texts[1], payload)
        }
    }
}

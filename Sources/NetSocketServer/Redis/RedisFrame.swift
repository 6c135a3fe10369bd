#if Redis
internal import NetCore
internal import NetSocketCore

/// A message on the channel of a topic, as published by the scripts: a line of words, then an encoded message or
/// member.
///
/// ```text
/// m <offset> <epoch>      a message that is kept, or takes an offset
/// u 0 <epoch>             a message that takes none
/// e <version> <epoch>     a member has entered
/// l <version> <epoch>     a member has left
/// ```
struct RedisFrame: Sendable {
    enum Kind: Sendable, Hashable {
        case message(FanOutMessage)
        case entered(PresenceMember)
        case left(PresenceMember)
    }

    /// The epoch of the topic.
    let epoch: String
    /// The version of the topic's members after a change of them; 0 for a message.
    let version: UInt64
    let kind: Kind
    /// The size in bytes, for the limit on held frames.
    let bytes: Int

    /// The maximum size of the line of words.
    private static let maximumHead = 256

    /// Parses a message; nil if it is malformed.
    init?(_ payload: Bytes, in topic: String) {
        guard let end = payload.prefix(Self.maximumHead).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = String(decoding: payload[0..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 3, let number = UInt64(words[1]), number <= Int64.max else { return nil }
        let body = payload[end + 1..<payload.count]
        switch words[0] {
        case "m", "u":
            let isKept = words[0] == "m"
            guard !isKept || number > 0,
                let message = RedisEnvelope.message(body, in: topic, offset: isKept ? number : nil)
            else { return nil }
            kind = .message(message)
            version = 0
        case "e", "l":
            guard let member = RedisEnvelope.member(body) else { return nil }
            kind = words[0] == "e" ? .entered(member) : .left(member)
            version = number
        default: return nil
        }
        epoch = String(words[2])
        bytes = payload.count
    }

    /// The offset of the message; nil if it has none.
    var offset: UInt64? { if case .message(let message) = kind { message.push.offset } else { nil } }
}
#endif

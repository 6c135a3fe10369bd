#if Redis
internal import NIOCore
internal import NetCore

/// The commands of a connection that wait for a reply, the oldest first. Matches replies to commands.
struct RedisReplyQueue {
    typealias Completion = @Sendable (Result<RedisValue, NetError>) -> Void

    /// A command that was written.
    struct Entry {
        /// The kind of reply that the command gets.
        let kind: Kind
        /// The size of the encoded command, in bytes.
        let bytes: Int
        /// The time at which the command was written.
        let since: Duration
        /// The number of replies that are still missing.
        var confirmations: Int
        let completion: Completion
    }

    enum Kind: Equatable {
        case other
        /// Confirmed by an array of this word, the channel and the number of subscriptions.
        case subscription(word: RedisValue)

        init(_ command: RedisCommand) {
            switch command.name.lowercased() {
            case "subscribe": self = .subscription(word: .bytes(Bytes("subscribe".utf8)))
            case "unsubscribe": self = .subscription(word: .bytes(Bytes("unsubscribe".utf8)))
            default: self = .other
            }
        }
    }

    /// The meaning of a reply.
    enum Match {
        /// The last reply of the oldest command.
        case last(Completion)
        /// A reply of the oldest command, which will get more.
        case confirmation
        /// A message on a channel that the connection subscribes to.
        case message(channel: String, payload: Bytes)
        /// A reply that the broker may not send now; the text is the second part of a sentence that starts with the
        /// broker.
        case violation(String)
    }

    private var entries = CircularBuffer<Entry>()
    /// The total size of the commands that wait for a reply.
    private(set) var bytes = 0
    /// The number of channels that the connection is subscribed to, as last reported by the broker.
    private(set) var subscriptions: Int64 = 0

    var count: Int { entries.count }

    /// The time at which the oldest command was written; nil if no command is waiting.
    var oldest: Duration? { entries.first?.since }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        bytes += entry.bytes
    }

    /// Matches a reply. An array that begins with `message` is a message only while there are subscriptions;
    /// otherwise, it may be the reply to a command.
    mutating func match(_ value: RedisValue) -> Match {
        if subscriptions > 0, case .array(let elements) = value, elements.first == Self.message {
            guard elements.count == 3, let channel = elements[1].text, let payload = elements[2].bytes else {
                return .violation("sent a message that has no channel or no payload")
            }
            return .message(channel: channel, payload: payload)
        }
        guard let kind = entries.first?.kind else { return .violation("sent a reply that no command waits for") }
        guard value.error == nil else { return .last(removeFirst().completion) }
        if case .subscription(let word) = kind {
            guard case .array(let elements) = value, elements.count == 3, elements[0] == word,
                case .integer(let count) = elements[2]
            else { return .violation("confirmed a subscription with another reply") }
            subscriptions = count
        }
        entries[entries.startIndex].confirmations -= 1
        return entries[entries.startIndex].confirmations > 0 ? .confirmation : .last(removeFirst().completion)
    }

    private static let message = RedisValue.bytes(Bytes("message".utf8))

    private mutating func removeFirst() -> Entry {
        let entry = entries.removeFirst()
        bytes -= entry.bytes
        return entry
    }

    /// Removes all entries and returns them.
    mutating func removeAll() -> [Entry] {
        defer {
            entries = CircularBuffer()
            (bytes, subscriptions) = (0, 0)
        }
        return Array(entries)
    }
}
#endif

#if Server
internal import NetCore
internal import NetSocketCore

/// The handling of a push for a slow client.
public enum SlowClientPolicy: Sendable, Hashable {
    /// The oldest waiting push is dropped for the new one. The default.
    case dropOldest
    /// Only the newest push of each channel and event waits.
    case latestOnly
    /// The connection is closed with 1008 (policy violation).
    case close
    /// The connection is closed with 1013 (try again later), and clients of this library reconnect after a delay.
    case closeForLater
}

/// The data that waits for a slow client, beyond the data that the transport has accepted: bounded and ordered. Pure.
///
/// Only pushes are dropped. Replies and other protocol messages are kept: their number is limited by the number of
/// commands that a connection may run concurrently, and nothing is read while they wait.
///
/// A dropped push leaves its slot empty, so that a push to a stalled client takes no longer than a push to another
/// one.
struct ClientOutbox: Sendable {
    enum Content: Sendable {
        case message(WebSocketMessage)
        case shared(SharedFrame)

        var count: Int {
            switch self {
            case .message(let message): message.count
            case .shared(let frame): frame.count
            }
        }
    }

    /// The receivers that an entry is meant for.
    enum Scope: Sendable, Hashable {
        /// The client, even if its user has changed.
        case reply
        /// The user that the connection had when the entry was added.
        case user
        /// The members of a channel.
        case topic(String)
    }

    struct Entry: Sendable {
        var content: Content
        /// The key by which a newer push replaces this one; nil for content that isn't dropped, and empty for content
        /// that may be dropped but doesn't replace anything.
        var key: String?
        var scope = Scope.reply
        /// The number of a message in a session with numbered messages.
        var number: UInt64?
    }

    enum Verdict: Sendable, Hashable {
        case kept
        /// The number of pushes that were dropped, possibly including this one.
        case dropped(Int)
        case close(WebSocketCloseCode)
    }

    let policy: SlowClientPolicy
    let maximumBytes: Int
    /// A limit on the number of entries, since each takes memory in addition to its message.
    private let maximumCount: Int
    private var entries: [Entry?] = []
    /// The number of the first entry, counted from the first entry ever added.
    private var first = 0
    /// The number of the next entry, and of the first entry that may be dropped.
    private var head = 0
    private var oldestPush = 0
    /// The numbers of the newest pushes by key.
    private var newest: [String: Int] = [:]
    private(set) var bytes = 0
    private(set) var count = 0

    init(_ policy: SlowClientPolicy, maximumBytes: Int) {
        self.policy = policy
        self.maximumBytes = maximumBytes
        maximumCount = max(64, maximumBytes / 64)
    }

    var isEmpty: Bool { count == 0 }
    private var end: Int { first + entries.count }

    /// Adds an entry at the end.
    mutating func append(_ entry: Entry) -> Verdict {
        let size = entry.content.count
        var dropped = 0
        let name = policy == .latestOnly ? entry.key.flatMap { $0.isEmpty ? nil : $0 } : nil
        if let name, let number = newest[name] {
            remove(number)
            tidy()
            dropped += 1
        }
        if !hasRoom(for: size) {
            switch policy {
            case .close: return .close(.policyViolation)
            case .closeForLater: return .close(.tryAgainLater)
            case .dropOldest, .latestOnly: dropped += makeRoom(for: size)
            }
        }
        // The push is larger than the limit, or nothing else could be dropped to make room for it.
        if entry.key != nil, !hasRoom(for: size) { return .dropped(dropped + 1) }
        if let name { newest[name] = end }
        entries.append(entry)
        bytes += size
        count += 1
        return dropped > 0 ? .dropped(dropped) : .kept
    }

    /// Removes and returns the next message.
    mutating func next() -> Content? {
        while head < end {
            let number = head
            head += 1
            guard let entry = entries[number - first] else { continue }
            remove(number)
            tidy()
            return entry.content
        }
        return nil
    }

    /// Removes the entries with a scope, and returns their number.
    ///
    /// - Parameter empty: Returns the content that takes the place of a message with a number.
    mutating func discard(_ scope: Scope, empty: (UInt64) -> Content?) -> Int {
        var discarded = 0
        for index in entries.indices {
            guard let entry = entries[index], entry.scope == scope else { continue }
            discarded += 1
            if let content = entry.number.flatMap(empty) {
                bytes += content.count - entry.content.count
                entries[index] = Entry(content: content)
            } else {
                remove(first + index)
            }
        }
        tidy()
        return discarded
    }

    /// Removes all entries.
    mutating func removeAll() { self = ClientOutbox(policy, maximumBytes: maximumBytes) }

    private func hasRoom(for size: Int) -> Bool { bytes + size <= maximumBytes && count < maximumCount }

    /// Drops pushes, the oldest first.
    private mutating func makeRoom(for size: Int) -> Int {
        var dropped = 0
        oldestPush = max(oldestPush, head)
        while !hasRoom(for: size), oldestPush < end {
            if entries[oldestPush - first]?.key != nil {
                remove(oldestPush)
                dropped += 1
            }
            oldestPush += 1
        }
        tidy()
        return dropped
    }

    private mutating func remove(_ number: Int) {
        guard let entry = entries[number - first] else { return }
        entries[number - first] = nil
        bytes -= entry.content.count
        count -= 1
        if let key = entry.key, newest[key] == number { newest[key] = nil }
    }

    /// Removes the empty slots once they are the majority.
    private mutating func tidy() {
        guard entries.count > 64, count < entries.count / 2 else {
            if count == 0 { (entries, first, head, oldestPush) = ([], 0, 0, 0) }
            return
        }
        entries.removeAll { $0 == nil }
        (first, head, oldestPush, newest) = (0, 0, 0, [:])
        guard policy == .latestOnly else { return }
        for (number, entry) in entries.enumerated() {
            if let key = entry?.key, !key.isEmpty { newest[key] = number }
        }
    }
}
#endif

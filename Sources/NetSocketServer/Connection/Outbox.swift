#if Server
internal import NetCore
internal import NetSocketCore

/// What to do with a push for a client that is slow.
public enum SlowClientPolicy: Sendable, Hashable {
    /// The oldest push that waits is dropped for the new one. The default.
    case dropOldest
    /// Of each channel and event, only the newest push waits.
    case latestOnly
    /// The connection is closed with 1008 (policy violation).
    case close
    /// The connection is closed with 1013 (try again later), and clients of this library come back after a wait.
    case closeForLater
}

/// What waits for a slow client, beyond what the transport has taken: bounded, and in order. Pure.
///
/// Only pushes are dropped. Replies and what else the protocol needs are kept: they are bounded by the commands that a
/// connection may have at once, and while they wait nothing is read.
struct Outbox: Sendable {
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

    struct Entry: Sendable {
        var content: Content
        /// The name by which a newer push replaces this one; nil for what isn't dropped.
        var key: String?
    }

    enum Verdict: Sendable, Hashable {
        case kept
        /// So many pushes were dropped, this one perhaps among them.
        case dropped(Int)
        case close(WebSocketCloseCode)
    }

    let policy: SlowClientPolicy
    let maximumBytes: Int
    private var entries: [Entry] = []
    private var head = 0
    private(set) var bytes = 0

    init(_ policy: SlowClientPolicy, maximumBytes: Int) {
        self.policy = policy
        self.maximumBytes = maximumBytes
    }

    var isEmpty: Bool { head == entries.count }
    var count: Int { entries.count - head }

    /// Adds something at the end.
    mutating func append(_ entry: Entry) -> Verdict {
        let size = entry.content.count
        var dropped = 0
        if policy == .latestOnly, let key = entry.key { dropped += drop { $0.key == key } }
        if bytes + size > maximumBytes {
            switch policy {
            case .close: return .close(.policyViolation)
            case .closeForLater: return .close(.tryAgainLater)
            case .dropOldest, .latestOnly: dropped += dropOldest(until: maximumBytes - size)
            }
        }
        // A push that is larger than what may wait, or for which nothing else could make room.
        if entry.key != nil, bytes + size > maximumBytes { return .dropped(dropped + 1) }
        entries.append(entry)
        bytes += size
        return dropped > 0 ? .dropped(dropped) : .kept
    }

    /// Takes what is next.
    mutating func next() -> Content? {
        guard head < entries.count else { return nil }
        let content = entries[head].content
        bytes -= content.count
        head += 1
        if head == entries.count {
            entries = []
            head = 0
        } else if head > 64, head > entries.count / 2 {
            entries.removeFirst(head)
            head = 0
        }
        return content
    }

    /// Forgets everything.
    mutating func removeAll() { (entries, head, bytes) = ([], 0, 0) }

    private mutating func dropOldest(until limit: Int) -> Int {
        var excess = bytes - limit
        return drop { entry in
            guard excess > 0 else { return false }
            excess -= entry.content.count
            return true
        }
    }

    /// Drops pushes, oldest first.
    private mutating func drop(_ condition: (Entry) -> Bool) -> Int {
        var dropped = 0
        var kept: [Entry] = []
        for entry in entries[head...] {
            if entry.key != nil, condition(entry) {
                dropped += 1
                bytes -= entry.content.count
            } else {
                kept.append(entry)
            }
        }
        if dropped > 0 { (entries, head) = (kept, 0) }
        return dropped
    }
}
#endif

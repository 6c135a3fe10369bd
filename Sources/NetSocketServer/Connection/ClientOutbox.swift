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
///
/// A push that is dropped leaves its place empty, so that a client that sleeps costs no more time for each push than another.
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

    struct Entry: Sendable {
        var content: Content
        /// The name by which a newer push replaces this one; nil for what isn't dropped, and empty for what is dropped and
        /// replaces nothing.
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
    /// An entry takes memory beside its message.
    private let maximumCount: Int
    private var entries: [Entry?] = []
    /// The number of the first entry, counted from the first that ever was.
    private var first = 0
    /// The number of the next entry, and of the first that may be dropped.
    private var head = 0
    private var oldestPush = 0
    /// The numbers of the newest pushes by their names.
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

    /// Adds something at the end.
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
        // A push that is larger than what may wait, or for which nothing else could make room.
        if entry.key != nil, !hasRoom(for: size) { return .dropped(dropped + 1) }
        if let name { newest[name] = end }
        entries.append(entry)
        bytes += size
        count += 1
        return dropped > 0 ? .dropped(dropped) : .kept
    }

    /// Takes what is next.
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

    /// Forgets everything.
    mutating func removeAll() { self = ClientOutbox(policy, maximumBytes: maximumBytes) }

    private func hasRoom(for size: Int) -> Bool { bytes + size <= maximumBytes && count < maximumCount }

    /// Drops pushes, oldest first.
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

    /// Gives back the places that are empty, once they are the most.
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

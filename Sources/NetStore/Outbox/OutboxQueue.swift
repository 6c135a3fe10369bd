internal import NetCrypto

/// The order in which items are sent: a pure state machine. Times are microseconds since 1970.
///
/// It contains the unfinished items as stored in the file, and those that this process is sending. The states of an
/// item:
///
/// | state | may be sent | begin | accepted | tried again | not accepted | retry | drop | expired | sender ends |
/// |---|---|---|---|---|---|---|---|---|---|
/// | queued | in its turn | sending | – | – | – | queued | dropped | parked | queued |
/// | sending | no | – | completed | waiting | parked | sending | dropped | – | queued |
/// | waiting | in its turn, when its time has come | sending | – | – | – | queued | dropped | parked | waiting |
/// | parked | no | – | – | – | – | queued | dropped | – | parked |
/// | completed | no | – | – | – | – | error | error | – | completed |
/// | dropped | no | – | ignored | ignored | ignored | error | error | – | dropped |
///
/// An item without an order key always has its turn. An item with a key has its turn if no earlier item of that key is
/// queued, waiting, under way in this process, or parked (unless parked items don't block). An item of a named user is
/// held in its turn while the sender is somebody else or nobody in particular: it blocks the later items of its key, and
/// expires like any other.
struct OutboxQueue: Sendable {
    /// An item as stored in the file.
    struct Entry: Sendable, Hashable {
        var id: OutboxItem.ID
        var orderKey: String?
        var state: OutboxItem.State
        /// The earliest time to send it.
        var due: Int64
        var expiresAt: Int64?
        /// The user; nil for an item of any sender.
        var owner: SealedNames?

        fileprivate var maySend: Bool { state == .queued || state == .waiting }
    }

    /// The actions to take now.
    struct Step: Sendable, Equatable {
        /// The items to send; they count as under way from now on.
        var send: [OutboxItem.ID] = []
        /// The expired items to park.
        var expired: [OutboxItem.ID] = []
        /// The time to call ``next(now:)`` again if nothing changes before; nil if there is none.
        var wake: Int64?
    }

    private let parkedItemsBlock: Bool
    private let maximumSends: Int
    private var entries: [OutboxItem.ID: Entry] = [:]
    /// The names of the user that sends; empty for nobody in particular.
    private var sender: [String] = []
    /// The items that may have their turn, but not of this sender.
    private var held: Set<OutboxItem.ID> = []
    private var underWay: [OutboxItem.ID: String?] = [:]
    private var busyKeys: Set<String> = []
    /// The items of each key, in order. Finished items are removed when they reach the front.
    private var lines: [String: [OutboxItem.ID]] = [:]
    /// Items that may have their turn; others are skipped when they reach the front.
    private var candidates = DueList()
    /// The times when items expire; outdated ones are skipped.
    private var expiries = DueList()

    init(maximumSends: Int, parkedItemsBlock: Bool) {
        self.maximumSends = max(1, maximumSends)
        self.parkedItemsBlock = parkedItemsBlock
    }

    /// The number of items that this process is sending.
    var sendCount: Int { underWay.count }

    /// Adds an item that is new or has changed.
    mutating func update(_ entry: Entry) {
        let isLeft = !entry.state.isFinal
        let isInLine = isLeft && (entry.state != .parked || parkedItemsBlock)
        entries[entry.id] = isLeft ? entry : nil
        held.remove(entry.id)
        if let key = entry.orderKey {
            place(entry.id, inLineOf: key, isInLine)
            offerFirst(of: key)
        } else {
            offer(entry.id)
        }
        if isLeft, let end = entry.expiresAt { expiries.insert(.init(due: end, id: entry.id)) }
    }

    /// Changes the user that sends.
    mutating func setSender(_ names: [String]) {
        guard names != sender else { return }
        sender = names
        let ids = held
        held = []
        for id in ids { offer(id) }
    }

    /// True if an item waits for its user to send.
    var hasHeldItems: Bool { !held.isEmpty }

    /// Records that a send of this process has ended and that its result is in the file.
    mutating func sendEnded(_ id: OutboxItem.ID) {
        guard let key = underWay.removeValue(forKey: id) else { return }
        if let key {
            busyKeys.remove(key)
            offerFirst(of: key)
        } else {
            offer(id)
        }
        if let end = entries[id]?.expiresAt { expiries.insert(.init(due: end, id: id)) }
    }

    /// Returns the actions to take now.
    mutating func next(now: Int64) -> Step {
        var step = Step()
        while let first = expiries.first {
            guard let entry = entries[first.id], entry.maySend, entry.expiresAt == first.due, underWay[first.id] == nil
            else {
                expiries.removeFirst()
                continue
            }
            guard first.due <= now else { break }
            expiries.removeFirst()
            step.expired.append(first.id)
            entries[first.id]?.state = .parked
        }
        while let first = candidates.first, underWay.count < maximumSends {
            guard let entry = entries[first.id], hasTurn(entry), entry.due == first.due else {
                candidates.removeFirst()
                continue
            }
            guard first.due <= now else { break }
            candidates.removeFirst()
            begin(entry)
            step.send.append(first.id)
        }
        let due = underWay.count < maximumSends ? candidates.first?.due : nil
        step.wake = [due, expiries.first?.due].compactMap(\.self).min()
        return step
    }

    private mutating func begin(_ entry: Entry) {
        underWay[entry.id] = .some(entry.orderKey)
        if let key = entry.orderKey { busyKeys.insert(key) }
    }

    private func hasTurn(_ entry: Entry) -> Bool {
        guard entry.maySend, underWay[entry.id] == nil else { return false }
        if let owner = entry.owner, !owner.contains(exactly: sender) { return false }
        guard let key = entry.orderKey else { return true }
        return !busyKeys.contains(key) && lines[key]?.first == entry.id
    }

    private mutating func offer(_ id: OutboxItem.ID) {
        guard let entry = entries[id] else { return }
        if let owner = entry.owner, entry.maySend, !owner.contains(exactly: sender) { held.insert(id) }
        guard hasTurn(entry) else { return }
        candidates.insert(.init(due: entry.due, id: id))
    }

    private mutating func offerFirst(of key: String) {
        if let first = lines[key]?.first { offer(first) }
    }

    /// Adds an item to its key's line, or removes it.
    private mutating func place(_ id: OutboxItem.ID, inLineOf key: String, _ isInLine: Bool) {
        var line = lines.removeValue(forKey: key) ?? []
        var (low, high) = (0, line.count)
        if let last = line.last, last < id { low = high }
        while low < high {
            let middle = (low + high) / 2
            if line[middle] < id { low = middle + 1 } else { high = middle }
        }
        let isThere = low < line.count && line[low] == id
        if isInLine, !isThere { line.insert(id, at: low) }
        if !isInLine, isThere { line.remove(at: low) }
        if !line.isEmpty { lines[key] = line }
    }
}

#if Server
/// The IDs of the last messages of a topic, with their offsets.
struct RecentIDs: Sendable {
    private var offsets: [String: UInt64] = [:]
    private var order: [String] = []
    private var head = 0

    var isEmpty: Bool { offsets.isEmpty }
    var count: Int { offsets.count }

    func offset(of id: String) -> UInt64? { offsets[id] }

    /// Adds a new ID, and removes the oldest ones beyond a maximum number.
    mutating func remember(_ id: String, _ offset: UInt64, atMost maximum: Int) {
        guard maximum > 0 else { return }
        offsets[id] = offset
        order.append(id)
        while order.count - head > maximum {
            offsets.removeValue(forKey: order[head])
            order[head] = ""
            head += 1
        }
        if head > 64, head > order.count / 2 {
            order.removeFirst(head)
            head = 0
        }
    }
}
#endif

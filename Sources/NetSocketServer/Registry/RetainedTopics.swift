#if Server
/// How many pushes are kept of the topics whose channel has become empty. Beyond the bound, the first that came are forgotten.
/// Pure.
struct RetainedTopics: Sendable {
    private let maximumCount: Int
    private var counts: [String: Int] = [:]
    /// The topics in the order in which they came, and how many of them are forgotten.
    private var topics: [String] = []
    private var forgotten = 0

    init(maximumCount: Int = 10_000) {
        self.maximumCount = maximumCount
    }

    var count: Int { counts.count }

    subscript(topic: String) -> Int? { counts[topic] }

    mutating func keep(_ count: Int, of topic: String) {
        guard counts.updateValue(count, forKey: topic) == nil else { return }
        topics.append(topic)
        guard counts.count > maximumCount else { return }
        counts[topics[forgotten]] = nil
        forgotten += 1
        guard forgotten > topics.count / 2 else { return }
        topics.removeFirst(forgotten)
        forgotten = 0
    }
}
#endif

/// Item numbers ordered by time, then by number. A binary heap.
struct DueList: Sendable {
    struct Entry: Sendable, Comparable {
        let due: Int64
        let id: Int64

        static func < (left: Entry, right: Entry) -> Bool { (left.due, left.id) < (right.due, right.id) }
    }

    private var heap: [Entry] = []

    /// The first entry.
    var first: Entry? { heap.first }

    mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var index = heap.count - 1
        while index > 0, heap[index] < heap[(index - 1) / 2] {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}

#if Server
internal import NetCore

/// A heap of work items, ordered by their times. Pure.
struct DueQueue<Work> {
    typealias ID = UInt64

    private var heap: [(time: Duration, id: ID)] = []
    private var works: [ID: Work] = [:]
    private var last: ID = 0

    /// The number of work items.
    var count: Int { works.count }
    /// The number of slots in use, including those of cancelled items.
    var size: Int { heap.count }
    /// The time of the first slot; nil if the queue is empty.
    var next: Duration? { heap.first?.time }

    mutating func add(at time: Duration, _ work: Work) -> ID {
        last += 1
        works[last] = work
        heap.append((time, last))
        rise(heap.count - 1)
        return last
    }

    /// Removes a work item. Its slot is freed later, together with others.
    mutating func cancel(_ id: ID) {
        guard works.removeValue(forKey: id) != nil, heap.count > 2 * works.count + 64 else { return }
        heap = heap.filter { works[$0.id] != nil }.sorted { Self.isBefore($0, $1) }
    }

    /// Removes and returns the items that are due, in the order of their times.
    mutating func takeDue(_ now: Duration) -> [Work] {
        var due: [Work] = []
        while let first = heap.first, first.time <= now {
            removeFirst()
            if let work = works.removeValue(forKey: first.id) { due.append(work) }
        }
        return due
    }

    private static func isBefore(_ left: (time: Duration, id: ID), _ right: (time: Duration, id: ID)) -> Bool {
        (left.time, left.id) < (right.time, right.id)
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard Self.isBefore(heap[index], heap[parent]) else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
            guard let child = children.min(by: { Self.isBefore(heap[$0], heap[$1]) }),
                Self.isBefore(heap[child], heap[index])
            else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}

extension DueQueue: Sendable where Work: Sendable {}
#endif

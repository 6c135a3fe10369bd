#if Server
internal import NetCore

/// Work by its times: a heap. Pure.
struct DueQueue<Work> {
    typealias ID = UInt64

    private var heap: [(time: Duration, id: ID)] = []
    private var works: [ID: Work] = [:]
    private var last: ID = 0

    /// The number of works.
    var count: Int { works.count }
    /// The places that are used, those of works that were cancelled among them.
    var size: Int { heap.count }
    /// When to look next; nil for never.
    var next: Duration? { heap.first?.time }

    mutating func add(at time: Duration, _ work: Work) -> ID {
        last += 1
        works[last] = work
        heap.append((time, last))
        rise(heap.count - 1)
        return last
    }

    /// Forgets a work. Its place is given back with those of others.
    mutating func cancel(_ id: ID) {
        guard works.removeValue(forKey: id) != nil, heap.count > 2 * works.count + 64 else { return }
        heap = heap.filter { works[$0.id] != nil }.sorted { Self.isBefore($0, $1) }
    }

    /// Takes the works whose time has come, in the order of their times.
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

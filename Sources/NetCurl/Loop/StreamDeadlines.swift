#if os(Linux)
/// The streams that have a deadline, in a binary heap with the earliest on top. Each stream knows its index.
///
/// Almost every open WebSocket has a deadline, so the cost of a sweep over all of them, as for transfers, would grow
/// with their number.
struct StreamDeadlines {
    private var heap: [ByteStream] = []

    /// The earliest deadline; `.max` if there is none.
    var next: UInt64 { heap.first?.deadline ?? .max }

    /// Moves a stream to the place of its deadline; removes it if the deadline is `.max`.
    mutating func update(_ stream: ByteStream) {
        let index = stream.timedIndex
        if stream.deadline == .max {
            if index >= 0 { remove(at: index) }
        } else if index < 0 {
            stream.timedIndex = heap.count
            heap.append(stream)
            moveUp(from: heap.count - 1)
        } else {
            moveUp(from: index)
            moveDown(from: stream.timedIndex)
        }
    }

    /// Removes and returns the stream with the earliest deadline if that has passed.
    mutating func popPassed(now: UInt64) -> ByteStream? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        remove(at: 0)
        return first
    }

    private mutating func remove(at index: Int) {
        heap[index].timedIndex = -1
        let last = heap.removeLast()
        guard index < heap.count else { return }
        place(last, at: index)
        moveUp(from: index)
        moveDown(from: last.timedIndex)
    }

    private mutating func place(_ stream: ByteStream, at index: Int) {
        heap[index] = stream
        stream.timedIndex = index
    }

    private mutating func moveUp(from start: Int) {
        var index = start
        let stream = heap[index]
        while index > 0 {
            let parent = heap[(index - 1) / 2]
            guard stream.deadline < parent.deadline else { break }
            place(parent, at: index)
            index = (index - 1) / 2
        }
        place(stream, at: index)
    }

    private mutating func moveDown(from start: Int) {
        var index = start
        let stream = heap[index]
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].deadline < heap[child].deadline { child += 1 }
            guard heap[child].deadline < stream.deadline else { break }
            place(heap[child], at: index)
            index = child
        }
        place(stream, at: index)
    }
}
#endif

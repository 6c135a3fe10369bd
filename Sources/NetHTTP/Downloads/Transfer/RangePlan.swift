/// The bytes of one file that remain to be loaded, divided among several transfers.
///
/// A pure state machine. Each transfer takes a piece, the next waiting one or else the second half of the largest
/// open one, and reports the bytes received. A piece that was halved ends before the end that its transfer requested.
///
/// | event | effect |
/// |---|---|
/// | ``take()`` | opens the first waiting piece, or half of the largest open one |
/// | ``bytesCame(_:in:)`` | the piece has fewer bytes left; a finished one is no longer open |
/// | ``close(_:)`` | the rest of the piece waits, or is added to the open transfer just before it |
struct RangePlan: Sendable {
    /// A piece that a transfer loads.
    struct Piece: Sendable, Hashable {
        /// The number of the piece within its plan.
        let id: Int
        /// The remaining bytes. An upper bound of `Int64.max` is an unknown end.
        fileprivate(set) var bytes: Range<Int64>
        /// The end of the bytes that the transfer requested.
        let end: Int64
    }

    /// The minimum size of half a piece: requesting a smaller one would cost more than loading it.
    static let smallestHalf: Int64 = 512 << 10

    private(set) var open: [Int: Piece] = [:]
    /// The pieces that aren't being loaded, in order, neither adjacent nor overlapping.
    private(set) var waiting: [Range<Int64>]
    private var last = 0

    /// Creates a plan for the missing bytes, in order and disjoint.
    init(missing: [Range<Int64>]) {
        waiting = missing.filter { !$0.isEmpty }
    }

    /// True if no byte is missing.
    var isComplete: Bool { open.isEmpty && waiting.isEmpty }

    /// True if ``take()`` returns a piece.
    var hasMore: Bool { !waiting.isEmpty || divisible != nil }

    /// Opens the next piece; nil if there is no piece that justifies a separate transfer.
    mutating func take() -> Piece? {
        if !waiting.isEmpty { return open(waiting.removeFirst()) }
        guard let largest = divisible else { return nil }
        let middle = largest.bytes.lowerBound + Int64(largest.bytes.count) / 2
        open[largest.id]?.bytes = largest.bytes.lowerBound..<middle
        return open(middle..<largest.bytes.upperBound)
    }

    /// Records bytes and returns how many of them belong to the piece; fewer than `count` if it ends earlier, zero if
    /// it's no longer open.
    mutating func bytesCame(_ count: Int, in id: Int) -> (accepted: Int, start: Int64, isFinished: Bool) {
        guard let piece = open[id] else { return (0, 0, true) }
        let start = piece.bytes.lowerBound
        let accepted = min(Int64(count), piece.bytes.upperBound - start)
        let rest = start + accepted..<piece.bytes.upperBound
        open[id] = rest.isEmpty ? nil : Piece(id: id, bytes: rest, end: piece.end)
        return (Int(accepted), start, rest.isEmpty)
    }

    /// Closes a piece of unknown end whose end has been reached.
    mutating func end(_ id: Int) { open[id] = nil }

    /// Closes a piece. Its rest is added to the open transfer whose request includes these bytes, or waits.
    mutating func close(_ id: Int) {
        guard let piece = open.removeValue(forKey: id) else { return }
        let before = open.values.first {
            $0.bytes.upperBound == piece.bytes.lowerBound && $0.end >= piece.bytes.upperBound
        }
        if let before {
            open[before.id]?.bytes = before.bytes.lowerBound..<piece.bytes.upperBound
        } else {
            wait(for: piece.bytes)
        }
    }

    /// Returns true if the piece is still being loaded.
    func isOpen(_ id: Int) -> Bool { open[id] != nil }

    private var divisible: Piece? {
        let largest = open.values.max { ($0.bytes.count, -$0.id) < ($1.bytes.count, -$1.id) }
        guard let largest, largest.bytes.upperBound < .max, Int64(largest.bytes.count) >= 2 * Self.smallestHalf else {
            return nil
        }
        return largest
    }

    private mutating func open(_ bytes: Range<Int64>) -> Piece {
        last += 1
        let piece = Piece(id: last, bytes: bytes, end: bytes.upperBound)
        open[last] = piece
        return piece
    }

    private mutating func wait(for bytes: Range<Int64>) {
        let index = waiting.firstIndex { $0.lowerBound > bytes.lowerBound } ?? waiting.count
        waiting.insert(bytes, at: index)
        if index + 1 < waiting.count, waiting[index].upperBound == waiting[index + 1].lowerBound {
            waiting[index] = bytes.lowerBound..<waiting.remove(at: index + 1).upperBound
        }
        if index > 0, waiting[index - 1].upperBound == waiting[index].lowerBound {
            waiting[index - 1] = waiting[index - 1].lowerBound..<waiting.remove(at: index).upperBound
        }
    }
}

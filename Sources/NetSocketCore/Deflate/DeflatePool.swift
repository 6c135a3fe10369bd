internal import NetCompression
internal import Synchronization

/// The streams shared by connections without context takeover: one of each kind, unless several are in use
/// simultaneously.
///
/// A stream is borrowed for the duration of one message, so that a connection between two messages has none.
package final class DeflatePool: Sendable {
    /// The settings of a stream that compresses.
    struct Kind: Hashable {
        var level: Int
        var windowBits: Int
        var memoryLevel: Int
    }

    private struct State {
        var deflaters: [Kind: [DeflateStream]] = [:]
        var inflaters: [Int: [InflateStream]] = [:]
    }

    /// The maximum number of idle streams of one kind.
    private static let kept = 2
    private let state = Mutex(State())

    package init() {}

    /// Returns a fresh stream; nil if memory runs out.
    func deflater(_ kind: Kind) -> DeflateStream? {
        state.withLock { $0.deflaters[kind]?.popLast() }
            ?? DeflateStream(level: kind.level, windowBits: kind.windowBits, memoryLevel: kind.memoryLevel)
    }

    func giveBack(_ stream: DeflateStream, _ kind: Kind) {
        stream.reset()
        state.withLock { state in
            if state.deflaters[kind, default: []].count < Self.kept {
                state.deflaters[kind, default: []].append(stream)
            }
        }
    }

    /// Returns a fresh stream; nil if memory runs out.
    func inflater(windowBits: Int) -> InflateStream? {
        state.withLock { $0.inflaters[windowBits]?.popLast() } ?? InflateStream(windowBits: windowBits)
    }

    func giveBack(_ stream: InflateStream, windowBits: Int) {
        stream.reset()
        state.withLock { state in
            if state.inflaters[windowBits, default: []].count < Self.kept {
                state.inflaters[windowBits, default: []].append(stream)
            }
        }
    }
}

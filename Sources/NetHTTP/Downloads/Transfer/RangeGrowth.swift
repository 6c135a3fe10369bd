internal import NetCore

/// Decides how many ranges of a file are loaded concurrently: as many as allowed, as long as the last one makes the
/// download at least a tenth faster.
///
/// A pure state machine on a monotonic clock. Servers often send the beginning of each response faster than the rest,
/// so a comparison while ranges are being added would always favor more. Therefore, ranges are added up to the
/// maximum, each once the previous one has received bytes; then the speed is measured with all of them and without
/// the last one.
///
/// | state | event | action |
/// |---|---|---|
/// | growing | bytes of the newest range, below the maximum | add one |
/// | growing | at the maximum, after ``settling`` | measure |
/// | measuring | after ``window`` | remove one |
/// | without one | after ``settling`` and ``window``: a tenth slower | add it again, and stay |
/// | without one | otherwise | measure; again with one fewer |
struct RangeGrowth: Sendable, Hashable {
    /// The change to the number of ranges.
    enum Action: Sendable, Hashable {
        case add, leaveOut
    }

    private enum State: Sendable, Hashable {
        case growing(since: Duration)
        /// Measures the speed from a time on. `reference` is the speed to compare with; nil while all ranges are
        /// measured.
        case measuring(from: Duration, bytes: Int64, reference: Double?)
        case settled
    }

    /// The time after a change of the number of ranges before the speed is measured.
    static let settling = Duration.seconds(1)
    /// The time over which a speed is measured.
    static let window = Duration.seconds(1)
    /// The factor by which one more range must raise the speed.
    static let gain = 1.1

    /// The maximum number of ranges. If it's one, no ranges are added.
    private(set) var maximum: Int
    /// The intended number of ranges.
    private(set) var count = 1
    private var bytes: Int64 = 0
    private var state: State

    /// Creates a state with one range.
    init(maximum: Int, now: Duration) {
        self.maximum = max(1, maximum)
        state = maximum > 1 ? .growing(since: now) : .settled
    }

    /// Records bytes of any range.
    ///
    /// - Parameters:
    ///   - isStable: True if the intended number of ranges is running, and all of them have received bytes.
    mutating func bytesCame(_ number: Int, isStable: Bool, now: Duration) -> Action? {
        bytes += Int64(number)
        guard isStable, count <= maximum else { return nil }
        switch state {
        case .settled: return nil
        case .growing(let since):
            if count < maximum {
                count += 1
                state = .growing(since: now)
                return .add
            }
            if now - since >= Self.settling { state = .measuring(from: now, bytes: bytes, reference: nil) }
            return nil
        case .measuring(let start, let from, let reference):
            // A start in the future is the end of the settling time.
            if now < start {
                state = .measuring(from: start, bytes: bytes, reference: reference)
                return nil
            }
            guard now - start >= Self.window else { return nil }
            return judge(speed: Double(bytes - from) / (now - start).inSeconds, reference: reference, now: now)
        }
    }

    /// Records that the server doesn't support ranges: only one is used from now on.
    mutating func failed() { (maximum, count, state) = (1, 1, .settled) }

    /// Records that one range can't be loaded at the moment: the others continue.
    mutating func lostOne() {
        count = max(1, count - 1)
        maximum = count
        state = .settled
    }

    private mutating func judge(speed: Double, reference: Double?, now: Duration) -> Action? {
        if let reference, speed * Self.gain <= reference {
            count += 1
            state = .settled
            return .add
        }
        guard count > 1 else {
            state = .settled
            return nil
        }
        count -= 1
        state = .measuring(from: now + Self.settling, bytes: bytes, reference: speed)
        return .leaveOut
    }
}

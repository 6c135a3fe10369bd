internal import Synchronization

/// The measured part of a load: after the warm-up, for a given time.
///
/// The tasks themselves take the readings at its two ends, at the first request that completes after each. A separate
/// timer would be additional load, and would fire late on a busy executor.
final class MeasuredWindow: Sendable {
    struct Reading {
        var requests: Int
        var cpuMicroseconds: Double
    }

    let opens: UInt64
    let closes: UInt64
    private let completed = Atomic<Int>(0)
    private let failed = Atomic<Int>(0)
    private let isOpen = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)
    private let readings = Mutex<[Reading]>([])

    init(warmUp: Double, seconds: Double) {
        let now = ProcessUsage.monotonicNanoseconds
        opens = now + UInt64(warmUp * 1e9)
        closes = opens + UInt64(seconds * 1e9)
    }

    /// Counts a request that ended at `time`.
    func complete(at time: UInt64) {
        completed.add(1, ordering: .relaxed)
        guard time >= opens else { return }
        if !isOpen.load(ordering: .relaxed) { read(once: isOpen) }
        if time >= closes, !isClosed.load(ordering: .relaxed) { read(once: isClosed) }
    }

    /// Counts a failure; true for the first one.
    func fail() -> Bool { failed.add(1, ordering: .relaxed).oldValue == 0 }

    var failures: Int { failed.load(ordering: .relaxed) }

    /// The number of requests and the CPU time between the two ends.
    var total: Reading {
        readings.withLock { readings in
            guard readings.count == 2 else { return Reading(requests: 0, cpuMicroseconds: 0) }
            return Reading(
                requests: readings[1].requests - readings[0].requests,
                cpuMicroseconds: readings[1].cpuMicroseconds - readings[0].cpuMicroseconds)
        }
    }

    private func read(once flag: borrowing Atomic<Bool>) {
        guard !flag.exchange(true, ordering: .relaxed) else { return }
        let reading = Reading(
            requests: completed.load(ordering: .relaxed), cpuMicroseconds: ProcessUsage.cpuMicroseconds)
        readings.withLock { $0.append(reading) }
    }
}

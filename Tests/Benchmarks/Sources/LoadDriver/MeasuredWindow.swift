internal import Synchronization

/// The stretch of a load that counts: after the warm-up, for a given time.
///
/// Its two ends are read by the tasks themselves, at the first request that ends after each. A timer of its own would be
/// one more thing on the machine, and on an executor under load it would come late.
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

    /// Requests and CPU between the two ends.
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

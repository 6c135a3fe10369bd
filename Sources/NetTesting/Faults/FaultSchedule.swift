internal import Synchronization

/// Random faults that are the same in every run: the seed determines which requests fail, and how.
///
///     let schedule = FaultSchedule(seed: 7, rate: 0.2)
///     let stubs = [Stub(.get, "/users", .text("Ada")).faulting(schedule)]
///
/// One schedule may serve many stubs. Requests take its entries in the order of their responses. With concurrent
/// requests, the sequence is still fixed, but not which request takes which entry.
public final class FaultSchedule: Sendable {
    private let random: SeededRandom
    private let rate: Double
    private let pool: [Fault]
    private let taken = Mutex<[Fault?]>([])

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - seed: Equal seeds produce equal sequences.
    ///   - rate: The fraction of requests that fail, from 0 to 1. Default 0.5.
    ///   - pool: The possible faults, all equally likely. Default ``Fault/finite``.
    public init(seed: UInt64, rate: Double = 0.5, among pool: [Fault] = Fault.finite) {
        random = SeededRandom(seed: seed)
        self.rate = rate
        self.pool = pool
    }

    /// The entries taken so far, in order; nil for a request without a fault.
    public var history: [Fault?] { taken.withLock { $0 } }

    /// The next entry.
    public func next() -> Fault? {
        taken.withLock { taken in
            // Both numbers are always drawn, so that another rate changes which requests fail, but not their faults.
            let (chance, choice) = (random.next(), random.next())
            let isHit = Double(chance >> 11) / Double(1 << 53) < rate
            let fault = isHit && !pool.isEmpty ? pool[Int(choice % UInt64(pool.count))] : nil
            taken.append(fault)
            return fault
        }
    }
}

extension Stub {
    /// Returns a copy whose responses all have this fault. It replaces a fault that a response already has.
    public func faulting(_ fault: Fault) -> Stub {
        changingAnswers { _, response in response.faulting(fault) }
    }

    /// Returns a copy whose responses have the faults of the schedule.
    public func faulting(_ schedule: FaultSchedule) -> Stub {
        changingAnswers { _, response in schedule.next().map { response.faulting($0) } ?? response }
    }
}

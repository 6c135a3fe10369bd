internal import Synchronization

/// Faults at random, the same in every run: the seed fixes which requests fail, and how.
///
///     let schedule = FaultSchedule(seed: 7, rate: 0.2)
///     let stubs = [Stub(.get, "/users", .text("Ada")).faulting(schedule)]
///
/// One schedule may serve many stubs. Requests take its entries in the order in which they are answered; a client that
/// sends several at once fixes the sequence, not who gets what.
public final class FaultSchedule: Sendable {
    private let random: SeededRandom
    private let rate: Double
    private let pool: [Fault]
    private let taken = Mutex<[Fault?]>([])

    /// Makes a schedule.
    ///
    /// - Parameters:
    ///   - seed: Equal seeds give equal sequences.
    ///   - rate: The share of requests that fail, from 0 to 1. Default 0.5.
    ///   - pool: What they fail with, each as likely as any other. Default ``Fault/finite``.
    public init(seed: UInt64, rate: Double = 0.5, among pool: [Fault] = Fault.finite) {
        random = SeededRandom(seed: seed)
        self.rate = rate
        self.pool = pool
    }

    /// What it has handed out so far, in order; nil where a request was spared.
    public var history: [Fault?] { taken.withLock { $0 } }

    /// The next entry.
    public func next() -> Fault? {
        taken.withLock { taken in
            // Both numbers are always drawn, so that another rate changes who fails, not with what.
            let (chance, choice) = (random.next(), random.next())
            let isHit = Double(chance >> 11) / Double(1 << 53) < rate
            let fault = isHit && !pool.isEmpty ? pool[Int(choice % UInt64(pool.count))] : nil
            taken.append(fault)
            return fault
        }
    }
}

extension Stub {
    /// The same, with something going wrong in every answer. It takes the place of a fault that the answer has.
    public func faulting(_ fault: Fault) -> Stub {
        changingAnswers { _, response in response.faulting(fault) }
    }

    /// The same, with something going wrong as the schedule says.
    public func faulting(_ schedule: FaultSchedule) -> Stub {
        changingAnswers { _, response in schedule.next().map { response.faulting($0) } ?? response }
    }
}

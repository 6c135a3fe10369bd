internal import NetCore

/// How long a contract's answers take, on the clock of the call or server. Equal seeds give equal sequences.
///
///     let transport = ContractTransport(
///         Contract("slow"), latency: .normal(mean: .milliseconds(80), deviation: .milliseconds(30), seed: 7))
public struct ContractLatency: Sendable {
    private let make: @Sendable () -> Duration

    /// No pause.
    public static let none = ContractLatency { .zero }

    /// Always the same pause.
    public static func constant(_ pause: Duration) -> ContractLatency {
        ContractLatency { max(.zero, pause) }
    }

    /// Each pause between the two as likely as any other.
    public static func uniform(_ range: ClosedRange<Duration>, seed: UInt64) -> ContractLatency {
        let random = SeededRandom(seed: seed).netRandom
        return ContractLatency {
            max(.zero, range.lowerBound + (range.upperBound - range.lowerBound) * random.unit())
        }
    }

    /// Pauses that lie around a mean, about two of three no further from it than the deviation; never less than none.
    public static func normal(mean: Duration, deviation: Duration, seed: UInt64) -> ContractLatency {
        let random = SeededRandom(seed: seed).netRandom
        return ContractLatency {
            // The sum of twelve uniform numbers is near enough to the normal distribution, with variance one.
            let score = (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
            return max(.zero, mean + deviation * score)
        }
    }

    func next() -> Duration { make() }
}

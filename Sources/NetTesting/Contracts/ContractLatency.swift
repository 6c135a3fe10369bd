internal import NetCore

/// The delay of a contract's responses, on the clock of the call or server. Equal seeds produce equal sequences.
///
///     let transport = ContractTransport(
///         Contract("slow"), latency: .normal(mean: .milliseconds(80), deviation: .milliseconds(30), seed: 7))
public struct ContractLatency: Sendable {
    private let make: @Sendable () -> Duration

    /// No delay.
    public static let none = ContractLatency { .zero }

    /// A constant delay.
    public static func constant(_ pause: Duration) -> ContractLatency {
        ContractLatency { max(.zero, pause) }
    }

    /// Delays distributed uniformly in a range.
    public static func uniform(_ range: ClosedRange<Duration>, seed: UInt64) -> ContractLatency {
        let random = SeededRandom(seed: seed).netRandom
        return ContractLatency {
            max(.zero, range.lowerBound + (range.upperBound - range.lowerBound) * random.unit())
        }
    }

    /// Delays distributed normally: about two of three are within the deviation of the mean; never negative.
    public static func normal(mean: Duration, deviation: Duration, seed: UInt64) -> ContractLatency {
        let random = SeededRandom(seed: seed).netRandom
        return ContractLatency {
            // The sum of twelve uniform numbers approximates the normal distribution closely enough, with variance one.
            let score = (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() }
            return max(.zero, mean + deviation * score)
        }
    }

    func next() -> Duration { make() }
}

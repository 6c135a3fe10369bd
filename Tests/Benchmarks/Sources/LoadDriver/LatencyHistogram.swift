/// Counts of latencies in microseconds, in steps of at most a sixteenth of the value.
struct LatencyHistogram: Sendable {
    private var counts = [Int](repeating: 0, count: 1024)

    mutating func record(nanoseconds: UInt64) {
        counts[min(Self.bucket(of: nanoseconds / 1000), counts.count - 1)] += 1
    }

    mutating func merge(_ other: LatencyHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }

    var median: Double {
        let half = (counts.reduce(0, +) + 1) / 2
        var seen = 0
        for (index, count) in counts.enumerated() {
            seen += count
            // The middle of the step: its lower end would be up to 6% too low.
            if seen >= half, count > 0 { return Double(Self.start(of: index) + Self.start(of: index + 1)) / 2 }
        }
        return 0
    }

    private static func bucket(of value: UInt64) -> Int {
        if value < 16 { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return (exponent - 3) * 16 + Int(value >> UInt64(exponent - 4) & 15)
    }

    private static func start(of bucket: Int) -> Int {
        bucket < 16 ? bucket : (16 + bucket % 16) << (bucket / 16 - 1)
    }
}

#if Tools
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Fisher's exact test: is a share larger in one group than in another? It is valid for any counts.
struct ShareTest {
    /// The logarithms of the factorials.
    private let logarithms: [Double]

    /// - Parameter maximum: The maximum size of both groups together.
    init(maximum: Int) {
        var (logarithms, sum) = ([0.0], 0.0)
        logarithms.reserveCapacity(maximum + 1)
        for number in 1...max(1, maximum) {
            sum += log(Double(number))
            logarithms.append(sum)
        }
        self.logarithms = logarithms
    }

    /// Returns the probability that equal groups differ at least as much in either direction.
    ///
    /// - Parameters:
    ///   - first: The number of members of the first group that count for the share, and the size of the group.
    ///   - second: The same numbers of the second group.
    func probability(_ first: (part: Int, whole: Int), _ second: (part: Int, whole: Int)) -> Double {
        let part = first.part + second.part
        guard first.whole > 0, second.whole > 0, part > 0, part < first.whole + second.whole else { return 1 }
        let observed = logarithm(first.part, first.whole, second.whole, part)
        var sum = 0.0
        for count in max(0, part - second.whole)...min(part, first.whole) {
            let probability = logarithm(count, first.whole, second.whole, part)
            // The tolerance keeps rounding from excluding a case with the same probability.
            if probability <= observed + 1e-7 { sum += exp(probability) }
        }
        return min(1, sum)
    }

    /// Returns the logarithm of the probability that `count` members of the part are in the first group.
    private func logarithm(_ count: Int, _ first: Int, _ second: Int, _ part: Int) -> Double {
        choose(first, count) + choose(second, part - count) - choose(first + second, part)
    }

    private func choose(_ whole: Int, _ part: Int) -> Double {
        logarithms[whole] - logarithms[part] - logarithms[whole - part]
    }
}
#endif

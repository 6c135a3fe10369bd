#if Tools
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The Mann–Whitney test: do the values of one group tend to be larger than those of another?
///
/// It compares ranks, so that outliers count no more than other values, and assumes nothing about the distribution of
/// values.
enum RankTest {
    /// Returns the probability that equal groups differ at least as much in either direction; 1 for an empty group.
    /// Uses the normal approximation with corrections for ties and continuity.
    static func probability(_ first: [Double], _ second: [Double]) -> Double {
        guard !first.isEmpty, !second.isEmpty else { return 1 }
        let (count, other) = (Double(first.count), Double(second.count))
        let all = (first.map { (value: $0, isFirst: true) } + second.map { (value: $0, isFirst: false) })
            .sorted { $0.value < $1.value }
        var (rankSum, ties, start) = (0.0, 0.0, 0)
        while start < all.count {
            var (end, members) = (start, 0)
            while end < all.count, all[end].value == all[start].value {
                if all[end].isFirst { members += 1 }
                end += 1
            }
            let size = Double(end - start)
            // Equal values share the mean of their ranks, which are counted from 1.
            rankSum += Double(members) * Double(start + end + 1) / 2
            ties += size * size * size - size
            start = end
        }
        let total = count + other
        let statistic = rankSum - count * (count + 1) / 2
        let variance = count * other / 12 * (total + 1 - ties / (total * (total - 1)))
        guard variance > 0 else { return 1 }
        let distance = max(0, abs(statistic - count * other / 2) - 0.5)
        return erfc(distance / variance.squareRoot() / 2.0.squareRoot())
    }
}
#endif

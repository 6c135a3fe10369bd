#if Tools
internal import NetCore
internal import NetStore

/// The statistical tests that compare one endpoint's calls in two groups.
struct EndpointTests {
    let endpoint: Endpoint
    let before, after: EndpointSample
    let test: ShareTest

    private typealias Change = EndpointDifference.Change

    /// The results of the tests that have enough calls.
    var all: [TestedDifference] {
        var all: [TestedDifference?] = [
            share(.broke, .fixed, (before.bad, before.calls), (after.bad, after.calls)),
            share(.moreHits, .fewerHits, before.cached, after.cached),
            share(.moreConnections, .fewerConnections, before.connected, after.connected),
        ]
        if min(before.durations.count, after.durations.count) >= GroupComparison.leastCalls {
            all.append(durations)
        }
        if min(before.durations.count, after.durations.count) >= GroupComparison.leastForTail { all.append(tail) }
        if min(before.sizes.count, after.sizes.count) >= GroupComparison.leastCalls { all.append(sizes) }
        return all.compactMap { $0 }
    }

    private func share(
        _ more: Change, _ less: Change, _ first: (part: Int, whole: Int), _ second: (part: Int, whole: Int)
    ) -> TestedDifference? {
        guard first.whole > 0, second.whole > 0, first.part + second.part > 0 else { return nil }
        let rates = (Double(first.part) / Double(first.whole), Double(second.part) / Double(second.whole))
        return result(
            rates.1 > rates.0 ? more : less, Self.share(first), Self.share(second), size: abs(rates.1 - rates.0),
            matters: true, test.probability(first, second))
    }

    private var durations: TestedDifference {
        let medians = (EndpointSample.quantile(0.5, before.durations), EndpointSample.quantile(0.5, after.durations))
        return result(
            medians.1 > medians.0 ? .slower : .faster, Self.seconds(medians.0), Self.seconds(medians.1),
            spreads: (Self.quartiles(before.durations), Self.quartiles(after.durations)),
            size: Self.ratio(medians), matters: Self.matters(medians, share: 0.1, least: 0.001),
            RankTest.probability(before.durations, after.durations))
    }

    /// Compares the shares of calls above the 95th percentile of all calls, which are equal for equal groups.
    private var tail: TestedDifference {
        let limit = EndpointSample.quantile(0.95, before.durations + after.durations)
        let counts = (before.durations.count { $0 >= limit }, after.durations.count { $0 >= limit })
        let tails = (EndpointSample.quantile(0.95, before.durations), EndpointSample.quantile(0.95, after.durations))
        return result(
            tails.1 > tails.0 ? .slowerTail : .fasterTail, Self.seconds(tails.0), Self.seconds(tails.1),
            size: Self.ratio(tails), matters: Self.matters(tails, share: 0.2, least: 0.001),
            test.probability((counts.0, before.durations.count), (counts.1, after.durations.count)))
    }

    private var sizes: TestedDifference {
        let medians = (EndpointSample.quantile(0.5, before.sizes), EndpointSample.quantile(0.5, after.sizes))
        return result(
            medians.1 > medians.0 ? .larger : .smaller, Self.bytes(medians.0),
            Self.bytes(medians.1), size: Self.ratio(medians),
            matters: Self.matters(medians, share: 0.1, least: 100),
            RankTest.probability(before.sizes, after.sizes))
    }

    private func result(
        _ change: Change, _ old: String, _ new: String, spreads: (before: String, after: String)? = nil, size: Double,
        matters: Bool, _ probability: Double
    ) -> TestedDifference {
        var difference: EndpointDifference?
        if matters {
            difference = EndpointDifference(
                change: change, endpoint: endpoint, before: old, after: new, spreads: spreads,
                calls: (before.calls, after.calls), size: size, probability: probability)
        }
        return TestedDifference(probability: probability, difference: difference)
    }

    private static func ratio(_ values: (Double, Double)) -> Double {
        let (less, more) = (min(values.0, values.1), max(values.0, values.1))
        return less > 0 ? more / less : more
    }

    private static func matters(_ values: (Double, Double), share: Double, least: Double) -> Bool {
        let difference = abs(values.1 - values.0)
        return difference >= least && difference >= share * values.0
    }

    /// Clamps the value, which may be anything in a damaged store.
    private static func bytes(_ bytes: Double) -> String { TerminalText.bytes(Int64(min(max(bytes, 0), 9e18))) }

    private static func seconds(_ seconds: Double) -> String { Duration.seconds(seconds).short }

    static func median(_ values: [Double]) -> String { seconds(EndpointSample.quantile(0.5, values)) }

    /// Returns quartiles such as `10.0–15.0 ms`: half of the calls took a time between them.
    private static func quartiles(_ values: [Double]) -> String {
        let ends = [0.25, 0.75].map { seconds(EndpointSample.quantile($0, values)) }
        let units = ends.map { $0.drop { $0 != " " } }
        return units[0] == units[1] ? "\(ends[0].prefix { $0 != " " })–\(ends[1])" : "\(ends[0])–\(ends[1])"
    }

    /// Returns a percentage such as `12 %`, with one decimal below ten.
    static func share(_ share: (part: Int, whole: Int)) -> String {
        let percent = Double(share.part) * 100 / Double(max(1, share.whole))
        return percent > 0 && percent < 10
            ? "\(Duration.seconds(percent).seconds(places: 1)) %" : "\(Int(percent.rounded())) %"
    }
}
#endif

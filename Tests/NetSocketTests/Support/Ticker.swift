import NetCore
import TestSupport

/// Runs on the cooperative pool every millisecond and records its longest wait, which shows if a thread of the pool is
/// blocked.
enum Ticker {
    /// The upper bound of a gap; a blocked thread causes gaps of at least 300 ms.
    static let limit = Duration.milliseconds(150)

    /// Returns the best of three rounds: a blocked thread is blocked in each, one delayed by a busy machine isn't.
    static func smallestGap(while body: () async -> Void) async -> Duration {
        var smallest = Duration.seconds(1000)
        for _ in 0..<3 where smallest >= limit { smallest = min(smallest, await longestGap(while: body)) }
        return smallest
    }

    /// Returns the longest time between two ticks while `body` ran, which must keep more tasks busy than the pool has
    /// threads.
    static func longestGap(tickers: Int = 4, while body: () async -> Void) async -> Duration {
        let longest = Locked(Duration.zero)
        let tasks = (0..<tickers).map { _ in
            Task.detached {
                let clock = ContinuousClock()
                var last = clock.now
                while !Task.isCancelled {
                    try? await clock.sleep(for: .milliseconds(1))
                    let now = clock.now
                    let gap = now - last
                    longest.change { $0 = max($0, gap) }
                    last = now
                }
            }
        }
        defer { for task in tasks { task.cancel() } }
        await body()
        return longest.value
    }
}

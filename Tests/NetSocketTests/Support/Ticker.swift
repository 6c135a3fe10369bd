import NetCore

/// Runs on the cooperative pool every millisecond and remembers the longest it had to wait: somebody who blocks a
/// thread of the pool shows here.
enum Ticker {
    /// The longest time between two ticks while `body` ran.
    ///
    /// As many tickers run as the pool has threads, so one blocked thread is seen.
    static func longestGap(tickers: Int = 4, while body: () async throws -> Void) async rethrows -> Duration {
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
        try await body()
        return longest.value
    }
}

#if Server
package import NetCore

/// When the clients of a server that stops connect again, so that they don't all arrive at the others at once. Pure.
///
/// The time is divided into as many parts as there are connections; each connection gets a random moment of its own part.
package struct ReconnectHints: Sendable {
    /// The number of connections.
    package let count: Int
    /// The time over which they are spread.
    package let duration: Duration
    private let random: NetRandom

    /// - Parameters:
    ///   - count: The number of connections.
    ///   - duration: The time over which they are spread.
    ///   - random: Where the moments come from.
    package init(count: Int, over duration: Duration, random: NetRandom) {
        self.count = max(count, 0)
        self.duration = max(duration, .zero)
        self.random = random
    }

    /// Returns the delay of a connection, in `.zero ..< duration`. One that wasn't counted gets any moment.
    ///
    /// - Parameter index: The number of the connection, from 0.
    package func delay(of index: Int) -> Duration {
        let place = random.unit()
        guard (0..<count).contains(index) else { return .nearest(seconds: place * duration.inSeconds) }
        return .nearest(seconds: (Double(index) + place) / Double(count) * duration.inSeconds)
    }
}
#endif

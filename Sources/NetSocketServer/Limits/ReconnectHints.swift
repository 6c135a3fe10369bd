#if Server
package import NetCore

/// The delays after which the clients of a stopping server reconnect, so that they don't all reach the other servers
/// simultaneously. Pure.
///
/// The time is divided into as many parts as there are connections; each connection gets a random moment of its own
/// part.
package struct ReconnectHints: Sendable {
    /// The number of connections.
    package let count: Int
    /// The time over which they are spread.
    package let duration: Duration
    private let random: NetRandom

    /// - Parameters:
    ///   - count: The number of connections.
    ///   - duration: The time over which they are spread.
    ///   - random: The source of random numbers.
    package init(count: Int, over duration: Duration, random: NetRandom) {
        self.count = max(count, 0)
        self.duration = max(duration, .zero)
        self.random = random
    }

    /// Returns the delay of a connection, in `.zero ..< duration`. A connection that wasn't counted gets a random
    /// moment of the whole time.
    ///
    /// - Parameter index: The number of the connection, from 0.
    package func delay(of index: Int) -> Duration {
        let place = random.unit()
        guard (0..<count).contains(index) else { return .nearest(seconds: place * duration.inSeconds) }
        return .nearest(seconds: (Double(index) + place) / Double(count) * duration.inSeconds)
    }
}
#endif

#if Tools && Server
internal import NetCore
internal import NetSocket
internal import NetTesting

/// A channel whose connections are lost and restored: messages in its history are replayed, older ones are reported as
/// missed.
struct SubscriptionTour {
    struct Price: SocketPush {
        static let event = ""
        var cents: Int
    }

    static let topic = "herring"

    let session: SocketClient
    let peer: SocketPeer
    var steps = Steps()

    static func peer(history: Int = 3) -> SocketPeer {
        SocketPeer("/prices", wire: .centrifuge, history: history) { signal, _ in
            if case .open = signal { [.opened(WireOpened())] } else { SocketPeer.echo(signal) }
        }
    }

    static func configuration(wait: Duration) -> SocketClient.Configuration {
        SocketClient.Configuration(wire: .centrifuge, reconnect: .constant(wait))
    }

    /// Returns true if everything was as expected.
    func run() async throws -> Bool {
        let channel = session.channel(Self.topic)
        var events = channel.events().makeAsyncIterator()
        try await session.withConnection { session in
            steps.heading("Subscribe")
            try await session.join(Self.topic)
            try await tell(1...3)
            steps.expect(
                "messages", "joined, missed nothing; 1, 2, 3", got: try await next(3, of: &events))

            steps.heading("The server cuts the connection off, and sends 2 prices meanwhile; its history has them")
            await peer.drop()
            try await interruption(&events)
            try await tell(4...5)
            steps.expect("replayed", "joined, missed nothing; 4, 5", got: try await next(2, of: &events))

            steps.heading("The client pauses, and the server sends 5 prices meanwhile; its history has 3")
            session.pause()
            try await interruption(&events)
            try await tell(6...10)
            session.resume()
            steps.expect("gap", "joined, missed some", got: try await next(0, of: &events))
            try await tell(11...11)
            steps.expect("goes on", "11", got: try await next(1, of: &events))

            steps.heading("Unsubscribe")
            try await channel.leave()
            try await tell(12...12)
        }
        let rest = try await rest(of: &events)
        steps.expect("afterwards", "left, and nothing more", got: rest)
        return steps.isRight
    }

    private func tell(_ prices: ClosedRange<Int>) async throws {
        for cents in prices { try await peer.push(Price(cents: cents), to: Self.topic) }
    }

    /// Waits for the end of the connection.
    private func interruption(_ events: inout SocketSequence<SocketChannel.Event>.Iterator) async throws {
        while let event = try await events.next() {
            saw(event)
            if case .interrupted = event { return }
        }
    }

    /// Follows the channel until the given number of prices has arrived, or if it is 0, until the next join.
    private func next(
        _ count: Int, of events: inout SocketSequence<SocketChannel.Event>.Iterator
    ) async throws -> String {
        var (parts, prices): ([String], [String]) = ([], [])
        while prices.count < count || count == 0 && parts.isEmpty, let event = try await events.next() {
            saw(event)
            switch event {
            case .push(let push): prices.append(Self.price(push))
            case .joined(_, let missed): parts.append("joined, missed \(missed)")
            case .gap: parts.append("gap")
            default: break
            }
        }
        if !prices.isEmpty { parts.append(prices.joined(separator: ", ")) }
        return parts.joined(separator: "; ")
    }

    /// Follows the channel to the end of the session.
    private func rest(of events: inout SocketSequence<SocketChannel.Event>.Iterator) async throws -> String {
        var parts: [String] = []
        while let event = try await events.next() {
            saw(event)
            switch event {
            case .left(nil): parts.append("left")
            case .left(let failure?): parts.append("left: \(failure.code)")
            case .push(let push): parts.append(Self.price(push))
            default: break
            }
        }
        return parts == ["left"] ? "left, and nothing more" : parts.joined(separator: ", ")
    }

    private func saw(_ event: SocketChannel.Event) {
        switch event {
        case .push(let push): steps.saw("price", Self.price(push))
        case .joined(_, let missed): steps.saw("joined", "missed \(missed)")
        case .left(let failure): steps.saw("left", failure?.message ?? "by this end")
        default: steps.saw("channel", "\(event)")
        }
    }

    private static func price(_ push: WirePush) -> String {
        do { return "\(try push.payload?.decoded(as: Price.self).cents ?? 0)" } catch { return "unreadable" }
    }
}
#endif

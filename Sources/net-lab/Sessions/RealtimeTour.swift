#if Tools && Server
internal import NetCore
internal import NetSocket
internal import NetTesting

/// A session that survives the loss of its connection: the server closes it, and no message sent meanwhile is lost.
struct RealtimeTour {
    struct Order: SocketCommand {
        static let event = "order"
        typealias Response = String
        var dish: String
    }

    struct Tick: SocketPush {
        static let event = "tick"
        var number: Int
    }

    let session: SocketClient
    let peer: SocketPeer
    var steps = Steps()

    /// Creates the server side. Like the session, it numbers its messages and keeps them until they are acknowledged.
    static func peer() -> SocketPeer {
        let peer = SocketPeer("/realtime", wire: .numberedJSON)
        peer.on(Order.self) { "\($0.dish) is on its way" }
        return peer
    }

    static func configuration(wait: Duration) -> SocketClient.Configuration {
        SocketClient.Configuration(wire: .numberedJSON, reconnect: .constant(wait), delivery: SocketDelivery())
    }

    /// Returns true if everything was as expected.
    func run() async throws -> Bool {
        var states = session.states.makeAsyncIterator()
        try await session.withConnection { session in
            var ticks = session.pushes(of: Tick.self).makeAsyncIterator()
            steps.heading("A session")
            try await follow(&states) { $0.isOpen }
            steps.expect("reply", "bread is on its way", got: try await session.send(Order(dish: "bread")))
            for number in 1...2 { try await peer.push(Tick(number: number)) }
            steps.expect("pushes", "1, 2", got: try await next(2, of: &ticks))

            steps.heading("The server cuts the connection off")
            await peer.drop()
            try await follow(&states) { !$0.isOpen }
            async let reply = session.send(Order(dish: "butter"))
            for number in 3...4 { try await peer.push(Tick(number: number)) }
            steps.saw("meanwhile", "the client orders butter, the server sends ticks 3 and 4")
            try await follow(&states) { $0.isOpen }
            steps.expect("reply", "butter is on its way", got: try await reply)
            steps.expect("pushes", "3, 4", got: try await next(2, of: &ticks))
            steps.expect("connections", "2", got: "\(peer.connections)")
        }
        try await follow(&states) { $0.isOver }
        if case .closed = session.state {} else { steps.expect("end", "closed", got: "\(session.state)") }
        return steps.isRight
    }

    /// Prints the states as they arrive, up to the first that satisfies a condition.
    private func follow(
        _ states: inout SocketSequence<SocketSessionState>.Iterator, until isLast: (SocketSessionState) -> Bool
    ) async throws {
        while let state = try await states.next() {
            steps.saw("state", Self.line(state))
            if isLast(state) { return }
        }
    }

    private func next(
        _ count: Int, of ticks: inout SocketSequence<Tick>.Iterator
    ) async throws -> String {
        var numbers: [String] = []
        while numbers.count < count, let tick = try await ticks.next() { numbers.append("\(tick.number)") }
        return numbers.joined(separator: ", ")
    }

    private static func line(_ state: SocketSessionState) -> String {
        switch state {
        case .connecting(let attempt): "connecting, attempt \(attempt)"
        case .waiting(_, let wait, let error):
            "lost (\(error.code)), retrying in \(wait.map { "\($0.seconds(places: 2)) s" } ?? "a while")"
        case .failed(let error): "failed: \(error.code)"
        default: "\(state)"
        }
    }
}
#endif

internal import NetCore
internal import NetSocketCore

extension SocketPeer {
    /// One client, over one connection or several.
    struct Session {
        /// The client's name for the session; nil for a session that ends with its connection.
        var name: String?
        var delivery: DeliveryMachine?
        var topics: Set<String> = []
        /// The current connection; nil between two connections.
        var connection: Int?
    }

    struct Connection {
        let socket: any WebSocketPeer
        var machine: any WireMachine
        var session: Int
        /// The messages that the writing task will take.
        var outbox: [WebSocketMessage] = []
        var isWriting = false
        /// A write has failed: nothing else may be written, because a number would be missing.
        var isBroken = false
        /// True if the client has sent a signal.
        var hasSpoken = false
        /// True if the client has named the session that it continues.
        var hasResumed = false
    }

    struct State {
        var connections: [Connection] = []
        var sessions: [Session] = []
        var names: [String: Int] = [:]
        var histories: [String: ChannelHistory] = [:]
        /// The number that names the current histories; incremented when they are forgotten.
        var epoch = 1
        /// The number of session lifetimes that have been named so far.
        var lives = 0
        var handlers: [String: @Sendable (SocketPayload?) async throws -> SocketPayload?] = [:]
        var received: [WireSignal] = []
        var undelivered: [WireSignal] = []
        /// The tasks that wait until more can be sent to a session.
        var waiters = WaiterList<Void>()

        /// Adds a connection with a session that ends with it.
        mutating func add(_ socket: any WebSocketPeer, _ machine: any WireMachine) -> Int {
            sessions.append(Session(connection: connections.count))
            connections.append(Connection(socket: socket, machine: machine, session: sessions.count - 1))
            return connections.count - 1
        }

        /// Indicates whether a connection is the current one of its session.
        func isCurrent(_ connection: Int) -> Bool {
            sessions[connections[connection].session].connection == connection
        }

        /// The session of the newest client; nil if there has been no connection.
        var newest: Int? {
            guard let last = connections.last else { return nil }
            // If clients resume sessions, a connection without signals is about to resume one.
            let former = last.hasSpoken ? nil : connections.last(where: \.hasResumed)
            return (former ?? last).session
        }

        /// Continues the session of that name, or starts it. Returns the response and the messages to send again.
        /// Throws `.protocolViolation` if the connection already has a session.
        mutating func resume(
            _ resume: WireResume, on connection: Int, _ limits: SocketDelivery
        ) throws -> [WireSignal] {
            guard !connections[connection].hasResumed else {
                throw NetError(
                    .protocolViolation, phase: .receiving,
                    message: "the client resumes a session on a connection that already has one")
            }
            (connections[connection].hasSpoken, connections[connection].hasResumed) = (true, true)
            let own = connections[connection].session
            let session = names[resume.session] ?? own
            if session != own { sessions[own] = Session() }
            names[resume.session] = session
            connections[connection].session = session
            sessions[session].connection = connection
            sessions[session].name = resume.session
            var delivery = sessions[session].delivery ?? DeliveryMachine(limits)
            let (answer, agreement) = delivery.accept(resume, next: nextLife())
            sessions[session].delivery = delivery
            undelivered += agreement.lost
            return [.resumed(answer)] + agreement.again
        }

        private mutating func nextLife() -> String {
            lives += 1
            return "life-\(lives)"
        }

        /// Ends every session with a name: sending to one of them throws from now on.
        mutating func forgetSessions() {
            for index in sessions.indices where sessions[index].name != nil {
                undelivered += sessions[index].delivery?.reset() ?? []
                sessions[index] = Session()
            }
            (names, histories) = ([:], [:])
            epoch += 1
        }

        // MARK: Channels

        mutating func history(of topic: String, count: Int) -> ChannelHistory {
            histories[topic]
                ?? ChannelHistory(epoch: "epoch-\(epoch)", maximumCount: count, maximumBytes: 1 << 20)
        }

        /// Completes the response to a join with the position in the channel's history and with the missed pushes.
        mutating func completed(_ joined: WireJoined, to join: WireJoin, count: Int) -> WireJoined {
            let history = history(of: joined.topic, count: count)
            histories[joined.topic] = history
            var joined = joined
            joined.position = history.position
            if let position = join.position {
                let missed = history.pushes(after: position)
                joined.isRecovered = missed != nil
                joined.missed = missed ?? []
            }
            return joined
        }
    }
}

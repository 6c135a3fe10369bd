internal import NetCore
internal import NetSocketCore

extension SocketPeer {
    /// One client, over one connection or over many.
    struct Session {
        /// The client's name for it; nil for one that ends with its connection.
        var name: String?
        var delivery: DeliveryMachine?
        var topics: Set<String> = []
        /// The connection that is used; nil between two.
        var connection: Int?
    }

    struct Connection {
        let socket: any WebSocketPeer
        var machine: any WireMachine
        var session: Int
        /// What waits to be written, by the task that writes.
        var outbox: [WebSocketMessage] = []
        var isWriting = false
    }

    struct State {
        var connections: [Connection] = []
        var sessions: [Session] = []
        var names: [String: Int] = [:]
        var histories: [String: ChannelHistory] = [:]
        /// Counts the lives of the histories.
        var epoch = 1
        var handlers: [String: @Sendable (SocketPayload?) async throws -> SocketPayload?] = [:]
        var heard: [WireSignal] = []
        var undelivered: [WireSignal] = []
        /// Those who wait until a session may be sent more.
        var waiters = WaiterList<Void>()

        /// Adds a connection with a session that ends with it.
        mutating func add(_ socket: any WebSocketPeer, _ machine: any WireMachine) -> Int {
            sessions.append(Session(connection: connections.count))
            connections.append(Connection(socket: socket, machine: machine, session: sessions.count - 1))
            return connections.count - 1
        }

        /// Whether a connection is the one of its session.
        func isCurrent(_ connection: Int) -> Bool {
            sessions[connections[connection].session].connection == connection
        }

        /// Goes on with a session of that name, or begins it. Returns the answer and what is sent again.
        mutating func resume(_ resume: WireResume, on connection: Int, _ limits: SocketDelivery) -> [WireSignal] {
            let known = names[resume.session]
            let session = known ?? connections[connection].session
            names[resume.session] = session
            connections[connection].session = session
            sessions[session].connection = connection
            sessions[session].name = resume.session
            var delivery = sessions[session].delivery ?? DeliveryMachine(limits)
            let (answer, agreement) = delivery.accept(resume, next: "life-\(epoch)-\(connection)")
            sessions[session].delivery = delivery
            undelivered += agreement.lost
            return [.resumed(answer)] + agreement.again
        }

        mutating func forgetSessions() {
            for index in sessions.indices where sessions[index].name != nil {
                undelivered += sessions[index].delivery?.reset() ?? []
                (sessions[index].connection, sessions[index].topics) = (nil, [])
            }
            (names, histories) = ([:], [:])
            epoch += 1
        }

        // MARK: Channels

        mutating func history(of topic: String, count: Int) -> ChannelHistory {
            histories[topic]
                ?? ChannelHistory(epoch: "epoch-\(epoch)", maximumCount: count, maximumBytes: 1 << 20)
        }

        /// Numbers a push of a channel, and returns it with the sessions that are in the channel.
        mutating func keep(_ push: WirePush, of topic: String, count: Int) -> (WirePush, [Int]) {
            let members = sessions.indices.filter { sessions[$0].topics.contains(topic) }
            guard count > 0 else { return (push, members) }
            var history = history(of: topic, count: count)
            let kept = history.append(push)
            histories[topic] = history
            return (kept, members)
        }

        /// Notes who is in a channel, and completes the answer to a join with what was missed.
        mutating func noted(_ answer: WireSignal, to join: WireJoin?, in session: Int, count: Int) -> WireSignal {
            switch answer {
            case .joined(var joined):
                sessions[session].topics.insert(joined.topic)
                guard count > 0, let join else { return answer }
                let history = history(of: joined.topic, count: count)
                histories[joined.topic] = history
                joined.position = history.position
                if let position = join.position {
                    let missed = history.pushes(after: position)
                    joined.isRecovered = missed != nil
                    joined.missed = missed ?? []
                }
                return .joined(joined)
            case .left(_, let topic, _):
                sessions[session].topics.remove(topic)
                return answer
            default: return answer
            }
        }
    }
}

extension WireSignal {
    /// Whether sessions number it: what a program says. The rest is said anew on each connection.
    var isNumbered: Bool {
        switch self {
        case .request, .reply, .push, .event, .completed: true
        default: false
        }
    }

    var size: Int {
        switch self {
        case .request(let request): request.event.utf8.count + (request.payload?.count ?? 0)
        case .push(let push): push.event.utf8.count + (push.payload?.count ?? 0)
        case .reply(let reply):
            switch reply.outcome {
            case .success(let payload): payload?.count ?? 0
            case .failure(let failure): failure.message.utf8.count
            }
        case .event(_, let payload): payload.count
        default: 0
        }
    }
}

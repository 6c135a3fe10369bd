#if Server
import NetCore
import NetSocketCore
import Synchronization

/// Our server side of Centrifuge for centrifuge-python: channels with a history, from which a client recovers missed
/// messages.
final class CentrifugeEnd: Sendable {
    private struct State {
        var epoch = 1
        var history: [String: [SocketPayload]] = [:]
        var refusals: [String: Int] = [:]
    }

    private struct Connect: Decodable { var token: String? }
    private struct Store: Decodable {
        var channel: String
        var data: JSONValue
    }

    private let state = Mutex(State())

    static func peer() -> ClientPeer {
        let end = CentrifugeEnd()
        return ClientPeer(
            name: "centrifuge-python", script: "centrifuge_client.py",
            ends: ["centrifuge": ServerEnd(.centrifuge) { signal, _ in try end.answers(signal) }])
    }

    private func answers(_ signal: WireSignal) throws -> [WireSignal] {
        switch signal {
        case .open(let payload): [opening(try payload?.decoded(as: Connect.self).token)]
        case .join(let join): [subscription(join)]
        case .leave(let id, let topic): [.left(id, topic: topic, nil)]
        case .request(let request): try answers(request)
        default: []
        }
    }

    private func opening(_ token: String?) -> WireSignal {
        switch token {
        case "wrong": return .end(WireEnd(SocketFailure("3500", "invalid token"), mayReconnect: false))
        case "busy":
            let isFirst = state.withLock { state in
                state.refusals["busy", default: 0] += 1
                return state.refusals["busy"] == 1
            }
            if isFirst { return .end(WireEnd(SocketFailure("100", "busy"), mayReconnect: true)) }
        default: break
        }
        let data = SocketPayload(json: "{\"motd\":\"hello\"}")
        // A ping per second is announced for "quiet", but none is sent.
        let heartbeat: Duration = .seconds(token == "quiet" ? 11 : 35)
        return .opened(WireOpened(payload: data, heartbeat: heartbeat, session: "a1"))
    }

    private func subscription(_ join: WireJoin) -> WireSignal {
        guard !join.topic.hasPrefix("secret") else {
            return .joinRefused(join.id, topic: join.topic, SocketFailure("103", "permission denied"))
        }
        return state.withLock { state in
            let history = state.history[join.topic] ?? []
            let epoch = "epoch-\(state.epoch)"
            var joined = WireJoined(id: join.id, topic: join.topic, payload: join.payload)
            joined.position = ChannelPosition(epoch: epoch, offset: UInt64(history.count))
            if let position = join.position {
                joined.isRecovered = position.epoch == epoch
                if position.epoch == epoch {
                    joined.missed = zip(1..., history).dropFirst(Int(position.offset)).map { offset, payload in
                        WirePush(event: "", payload: payload, topic: join.topic, offset: offset)
                    }
                }
            }
            return .joined(joined)
        }
    }

    /// Adds a publication to the history of its channel.
    private func store(_ payload: SocketPayload, in channel: String) -> WirePush {
        state.withLock { state in
            state.history[channel, default: []].append(payload)
            let offset = UInt64(state.history[channel, default: []].count)
            return WirePush(event: "", payload: payload, topic: channel, offset: offset)
        }
    }

    private func answers(_ request: WireRequest) throws -> [WireSignal] {
        guard let id = request.id else { return [] }
        var reply = WireReply(id: id, event: request.event, topic: request.topic, .success(nil))
        if let channel = request.topic {
            guard !channel.hasPrefix("secret") else {
                reply.outcome = .failure(SocketFailure("103", "permission denied"))
                return [.reply(reply)]
            }
            return [.reply(reply), .push(store(request.payload ?? SocketPayload(json: "null"), in: channel))]
        }
        switch request.event {
        case "echo": reply.outcome = .success(request.payload)
        case "fail": reply.outcome = .failure(SocketFailure("1042", "it failed"))
        case "store":
            // The client isn't notified, as if it weren't connected.
            guard let wanted = try request.payload?.decoded(as: Store.self) else { break }
            _ = store(try SocketPayload(wanted.data), in: wanted.channel)
        case "forget": state.withLock { $0.epoch += 1 }
        default: reply.outcome = .failure(SocketFailure("104", "method not found"))
        }
        return [.reply(reply)]
    }
}
#endif

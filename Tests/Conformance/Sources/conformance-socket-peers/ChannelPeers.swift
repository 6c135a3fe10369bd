#if Server
import NetCore
import NetSocketCore
import Synchronization

/// Our server side of Phoenix channels for two clients: realtime, that of Supabase, and phoenix-channels-python-client.
enum ChannelPeers {
    static func realtime() -> ClientPeer {
        ClientPeer(
            name: "realtime", script: "realtime_client.py",
            ends: ["realtime": end(.phoenixV1, "/realtime/websocket")])
    }

    static func phoenix(_ version: String, _ wire: SocketWire) -> ClientPeer {
        ClientPeer(
            name: "phoenix-channels-python-client \(version)", script: "phoenix_client.py",
            ends: [version: end(wire, "/\(version)/websocket")])
    }

    /// Rooms: those named "refused" reject every join, and those named "once" reject a second one.
    private static func end(_ wire: SocketWire, _ path: String) -> ServerEnd {
        let joined = Joined()
        return ServerEnd(wire, path: .init(path)) { signal, _ in
            switch signal {
            case .join(let join):
                let isKnown = joined.insert(join.topic)
                if join.topic.contains("refused") || join.topic.contains("once") && isKnown {
                    return [.joinRefused(join.id, topic: join.topic, SocketFailure("unauthorized", "members only"))]
                }
                return [.joined(WireJoined(id: join.id, topic: join.topic))]
            case .leave(let id, let topic): return [.left(id, topic: topic, nil)]
            case .request(let request):
                guard let id = request.id else { return [] }
                let outcome: WireReply.Outcome =
                    request.event == "refuse"
                    ? .failure(SocketFailure("forbidden", "not for you")) : .success(request.payload)
                return [.reply(WireReply(id: id, event: request.event, topic: request.topic, outcome))]
            default: return []
            }
        }
    }

    /// The topics that were joined.
    private final class Joined: Sendable {
        private let topics = Mutex<Set<String>>([])

        /// Inserts a topic; returns true if it was already there.
        func insert(_ topic: String) -> Bool { topics.withLock { !$0.insert(topic).inserted } }
    }
}
#endif

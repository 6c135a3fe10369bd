#if Server
import NetCore
import NetSocketCore

/// Our server side of protocols with events and calls, for python-socketio and jsonrpc-websocket.
enum EventPeers {
    private struct Opening: Decodable { var token: String? }

    static func socketIO() -> ClientPeer {
        ClientPeer(
            name: "python-socketio", script: "socketio_client.py",
            ends: [
                "socketio": ServerEnd(.socketIO, path: "/socket.io/") { signal, _ in
                    switch signal {
                    case .open(let payload):
                        guard try payload?.decoded(as: Opening.self).token != "wrong" else {
                            let failure = SocketFailure("401", "wrong token")
                            return [.end(WireEnd(failure, mayReconnect: false))]
                        }
                        return [.opened(WireOpened(payload: SocketPayload(json: "{\"motd\":\"hello\"}")))]
                    case .join(let join):
                        guard join.topic != "/refused" else {
                            return [.joinRefused(join.id, topic: join.topic, SocketFailure("403", "members only"))]
                        }
                        return [.joined(WireJoined(id: join.id, topic: join.topic))]
                    case .request(let request): return answers(request)
                    default: return []
                    }
                }
            ])
    }

    static func jsonRPC() -> ClientPeer {
        ClientPeer(
            name: "jsonrpc-websocket", script: "jsonrpc_client.py",
            ends: [
                "jsonrpc": ServerEnd(.jsonRPC) { signal, _ in
                    guard case .request(let request) = signal else { return [] }
                    return answers(request)
                }
            ])
    }

    private static func answers(_ request: WireRequest) -> [WireSignal] {
        guard let id = request.id else { return [] }
        let outcome: WireReply.Outcome =
            switch request.event {
            case "echo", "names.echo": .success(request.payload)
            case "nothing": .success(nil)
            case "refuse":
                .failure(SocketFailure("42", "not for you", details: SocketPayload(json: "{\"seats\":4}")))
            default: .failure(SocketFailure("-32601", "Method not found"))
            }
        return [.reply(WireReply(id: id, event: request.event, topic: request.topic, outcome))]
    }
}
#endif

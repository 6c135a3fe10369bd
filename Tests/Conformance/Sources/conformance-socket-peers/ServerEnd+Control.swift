#if Server
import NetCore
import NetSocketCore
import NetTestServer
import NetTesting

extension ServerEnd {
    /// The control requests of scripts beside the WebSocket, under a separate path.
    ///
    /// | request | effect |
    /// |---|---|
    /// | `GET /heard` | returns the signals of clients, in order |
    /// | `POST /say` | sends a ``Saying`` on the newest connection |
    /// | `POST /cut` | ends the newest connection without a closing handshake |
    /// | `POST /close?code=1012` | closes the newest connection |
    func control(_ name: String) -> [Stub] {
        [
            Stub(.get, PathTemplate("/\(name)/heard")) { [self] _ in .json(heard) },
            Stub(.post, PathTemplate("/\(name)/say")) { [self] request in
                try await say(request.decode(Saying.self).signal)
                return .text("said")
            },
            Stub(.post, PathTemplate("/\(name)/cut")) { [self] _ in
                await cut()
                return .text("cut")
            },
            Stub(.post, PathTemplate("/\(name)/close")) { [self] request in
                try await close(request.queryValue("code").flatMap { UInt16($0) } ?? 1000)
                return .text("closed")
            },
        ]
    }
}

/// A message that a script makes the server send.
struct Saying: Decodable {
    enum Kind: String, Decodable { case push, request, left, heartbeat, alive, end, event, completed }

    var kind: Kind
    var topic, event, code, message, id: String?
    var payload: JSONValue?
    var mayReconnect: Bool?

    var signal: WireSignal {
        get throws {
            let payload = try payload.map { try SocketPayload($0) }
            let failure = code.map { SocketFailure($0, message ?? "") }
            return switch kind {
            case .push: .push(WirePush(event: event ?? "", payload: payload, topic: topic))
            case .request:
                .request(
                    WireRequest(id: id.map { SocketID($0) }, event: event ?? "", payload: payload, topic: topic))
            case .left: .left(nil, topic: topic ?? "", failure)
            case .heartbeat: .heartbeat(nil)
            case .alive: .alive(nil)
            case .end: .end(WireEnd(failure, mayReconnect: mayReconnect ?? true))
            case .event: .event(SocketID(id ?? ""), payload ?? SocketPayload(json: "{}"))
            case .completed: .completed(SocketID(id ?? ""), failure)
            }
        }
    }
}
#endif

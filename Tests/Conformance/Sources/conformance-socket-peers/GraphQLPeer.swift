#if Server
import NetCore
import NetSocketCore

/// Our server side of the GraphQL protocols for gql.
enum GraphQLPeer {
    private struct Opening: Decodable { var token: String? }
    private struct Operation: Decodable { var query: String }
    /// An operation of AppSync: the query as text within JSON.
    private struct Signed: Decodable { var data: String }

    static func peer() -> ClientPeer {
        ClientPeer(
            name: "gql", script: "gql_client.py",
            ends: [
                "transport": end(.graphQLTransport, "/transport"), "legacy": end(.graphQLLegacy, "/legacy"),
                "appsync": end(.appSync, "/appsync"),
                "absinthe": ServerEnd(.phoenixV1, path: "/absinthe") { signal, _ in try AbsintheEnd.answers(signal) },
            ])
    }

    private static func end(_ wire: SocketWire, _ path: String) -> ServerEnd {
        ServerEnd(wire, path: .init(path)) { signal, end in
            switch signal {
            case .open(let payload):
                guard try payload?.decoded(as: Opening.self).token != "wrong" else {
                    // In this protocol, closing the WebSocket ends the session.
                    if path == "/transport" { try await end.close(4403) }
                    return [.end(WireEnd(SocketFailure("UNAUTHENTICATED", "wrong token"), mayReconnect: false))]
                }
                return [.opened(WireOpened(heartbeat: path == "/appsync" ? .seconds(300) : nil))]
            case .subscribe(let id, let payload):
                let query =
                    if path == "/appsync" {
                        try SocketPayload(json: payload.decoded(as: Signed.self).data).decoded(as: Operation.self).query
                    } else {
                        try payload.decoded(as: Operation.self).query
                    }
                return [.subscribed(id)] + answers(to: query, id)
            case .unsubscribe(let id): return path == "/transport" ? [] : [.completed(id, nil)]
            default: return []
            }
        }
    }

    /// Returns the events of a subscription or a query, and its end.
    private static func answers(to query: String, _ id: SocketID) -> [WireSignal] {
        func event(_ json: String) -> WireSignal { .event(id, SocketPayload(json: json)) }
        if query.contains("count") {
            return (1...3).map { event("{\"data\":{\"count\":\($0)}}") } + [.completed(id, nil)]
        }
        if query.contains("hello") { return [event("{\"data\":{\"hello\":\"Grüße\"}}"), .completed(id, nil)] }
        if query.contains("half") {
            return [
                event(#"{"data":{"half":null},"errors":[{"message":"even numbers fail","path":["half"]}]}"#),
                .completed(id, nil),
            ]
        }
        if query.contains("ticks") { return [event("{\"data\":{\"ticks\":1}}")] }
        return [.completed(id, SocketFailure("FORBIDDEN", "not for you"))]
    }
}

/// Our server side of Phoenix channels as Absinthe uses them for GraphQL.
enum AbsintheEnd {
    private struct Document: Decodable { var query: String }
    private struct Subscription: Codable { var subscriptionId: String }

    static func answers(_ signal: WireSignal) throws -> [WireSignal] {
        switch signal {
        case .join(let join):
            guard join.topic == "__absinthe__:control" else {
                return [.joinRefused(join.id, topic: join.topic, SocketFailure("unmatched topic"))]
            }
            return [.joined(WireJoined(id: join.id, topic: join.topic))]
        case .leave(let id, let topic): return [.left(id, topic: topic, nil)]
        case .request(let request):
            guard let id = request.id, let payload = request.payload else { return [] }
            let reply = { (outcome: WireReply.Outcome) in
                WireSignal.reply(WireReply(id: id, topic: request.topic, outcome))
            }
            guard request.event == "doc" else {
                return [reply(.success(try SocketPayload(payload.decoded(as: Subscription.self))))]
            }
            let query = try payload.decoded(as: Document.self).query
            if query.contains("hello") { return [reply(.success(SocketPayload(json: #"{"data":{"hello":"Grüße"}}"#)))] }
            guard query.contains("ticks") else { return [reply(.failure(SocketFailure("forbidden", "not for you")))] }
            let topic = "__absinthe__:doc:\(id)"
            let events = (1...2).map { number in
                let json = #"{"subscriptionId":"\#(topic)","result":{"data":{"ticks":\#(number)}}}"#
                return WireSignal.push(
                    WirePush(event: "subscription:data", payload: SocketPayload(json: json), topic: topic))
            }
            return [reply(.success(try SocketPayload(Subscription(subscriptionId: topic))))] + events
        default: return []
        }
    }
}
#endif

#if Server
import NetCore
import NetSocketCore
import NetSocketServer

extension ServerPeers {
    private struct Opening: Decodable { var token: String? }
    private struct Operation: Decodable { var query: String }
    /// An operation of AppSync: the query as text within JSON.
    private struct Signed: Decodable { var data: String }

    /// The GraphQL protocols for gql, and Phoenix channels as Absinthe uses them: handlers receive the operation as
    /// text.
    static func graphQL() -> RouterPeer {
        let endpoints = [
            RouterPeer.Endpoint(name: "transport", path: "/transport", wire: .graphQLTransport),
            RouterPeer.Endpoint(name: "legacy", path: "/legacy", wire: .graphQLLegacy),
            RouterPeer.Endpoint(name: "appsync", path: "/appsync", wire: .appSync),
            RouterPeer.Endpoint(name: "absinthe", path: "/absinthe", wire: .phoenixV1),
        ]
        return RouterPeer("gql", "gql_client.py", endpoints) { router, diary in
            router.onOpening { payload, context in
                diary.note(.open(payload), context)
                guard try payload?.decoded(as: Opening.self).token != "wrong" else {
                    throw SocketFailure("UNAUTHENTICATED", "wrong token")
                }
                return nil
            }
            router.onSubscription { payload, events in
                let id = events.context.requestID ?? 0
                diary.note(.subscribe(id, payload), events.context)
                let isSigned = events.context.connection.path == "/appsync"
                let operation =
                    isSigned ? SocketPayload(json: try payload.decoded(as: Signed.self).data) : payload
                do {
                    try await answer(operation.decoded(as: Operation.self).query, events)
                } catch is CancellationError {
                    diary.note(.unsubscribe(id), events.context)
                }
            }
            serveAbsinthe(&router, diary)
        }
    }

    private static func serveAbsinthe(_ router: inout SocketRouter<String>, _ diary: Diary) {
        router.channel("__absinthe__:control")
        router.on("doc") { payload, context in
            let id = context.requestID ?? 0
            diary.note(
                .request(WireRequest(id: id, event: "doc", payload: payload, topic: context.topic)), context)
            let query = try payload?.decoded(as: Operation.self).query ?? ""
            if query.contains("hello") { return SocketPayload(json: #"{"data":{"hello":"Grüße"}}"#) }
            guard query.contains("ticks") else { throw SocketFailure("forbidden", "not for you") }
            return SocketPayload(json: #"{"subscriptionId":"__absinthe__:doc:1"}"#)
        }
        router.on("unsubscribe") { payload, context in
            let request = WireRequest(id: 0, event: "unsubscribe", payload: payload, topic: context.topic)
            diary.note(.request(request), context)
            return payload
        }
    }

    /// Sends the events of a subscription or a query; returns at its end.
    private static func answer(_ query: String, _ events: SocketEvents<String>) async throws {
        func send(_ json: String) async throws { try await events.send(SocketPayload(json: json)) }
        if query.contains("count") {
            for number in 1...3 { try await send("{\"data\":{\"count\":\(number)}}") }
        } else if query.contains("hello") {
            try await send("{\"data\":{\"hello\":\"Grüße\"}}")
        } else if query.contains("half") {
            try await send(#"{"data":{"half":null},"errors":[{"message":"even numbers fail","path":["half"]}]}"#)
        } else if query.contains("ticks") {
            try await send("{\"data\":{\"ticks\":1}}")
            // Until the client cancels the subscription.
            try await Task.sleep(for: .seconds(3600))
        } else {
            throw SocketFailure("FORBIDDEN", "not for you")
        }
    }

    /// Centrifuge, with channels whose history outlives connections.
    static func centrifuge() -> RouterPeer {
        var wire = SocketWire.centrifuge
        // The shortest interval that the protocol supports is a second.
        wire.serverHeartbeat?.interval = .seconds(1)
        wire.serverHeartbeat?.maximumSilence = .seconds(12)
        let endpoint = RouterPeer.Endpoint(name: "centrifuge", path: "/socket", wire: wire)
        return RouterPeer("centrifuge-python", "centrifuge_client.py", [endpoint]) { router, diary in
            router.allowsCommandsOutsideChannels = true
            router.onOpening { payload, context in
                diary.note(.open(payload), context)
                guard try payload?.decoded(as: Opening.self).token != "wrong" else {
                    throw SocketFailure("3500", "invalid token")
                }
                return SocketPayload(json: #"{"motd":"hello"}"#)
            }
            router.channel("*") { join in
                guard !join.topic.hasPrefix("secret") else { throw SocketFailure("103", "permission denied") }
                return ChannelRules(history: join.topic == "others" ? 0 : 300, reply: join.payload)
            }
            router.on("echo") { payload, _ in payload }
            router.on("fail") { _, _ in throw SocketFailure("1042", "it failed") }
            router.on("") { payload, context in
                let channel = context.topic ?? ""
                guard !channel.hasPrefix("secret") else { throw SocketFailure("103", "permission denied") }
                try await context.server.channel(channel).push("", payload)
                return nil
            }
        }
    }
}
#endif

extension SocketWire {
    /// Phoenix channels, version 2 of the serializer: one JSON array per message, `[join_ref, ref, topic, event,
    /// payload]`.
    ///
    /// ```text
    /// ["1","1","room:lobby","phx_join",{"role":"member"}]
    /// ["1","1","room:lobby","phx_reply",{"status":"ok","response":{}}]
    /// ["1","2","room:lobby","new_msg",{"body":"hello"}]
    /// ```
    ///
    /// Phoenix 1.4 and later use it at `…/websocket?vsn=2.0.0`; the source is `Phoenix.Socket.V2.JSONSerializer`, and
    /// https://hexdocs.pm/phoenix/writing_a_channels_client.html describes it. Payloads of bytes are sent in the
    /// serializer's binary messages, whose texts (references, topic and event) have at most 255 bytes. Phoenix's own
    /// server expects each JSON payload to be an object; a nil payload is written as an empty one.
    ///
    /// The ID of a join is both its `join_ref` and its `ref`. A message of an earlier join of its channel is ignored.
    /// Requests, replies and pushes need a channel, and replies don't repeat the event. The wire has no message for
    /// its end, only the closing handshake.
    ///
    /// The response of a failure is `{"code":…,"reason":…}`, with `details` if there are any. In a response of another
    /// form, a `reason` of up to 64 bytes is the code, and the details are the whole response.
    ///
    /// A push that a server encodes with a new machine has no `join_ref`, like the broadcasts of Phoenix; phoenix.js
    /// and this package's client treat it as belonging to the current join.
    public static let phoenixV2 = phoenix(.v2)

    /// Phoenix channels, version 1 of the serializer: one JSON object per message.
    ///
    /// ```text
    /// {"topic":"room:lobby","event":"phx_join","payload":{},"ref":"1","join_ref":"1"}
    /// {"topic":"room:lobby","event":"phx_reply","payload":{"status":"ok","response":{}},"ref":"1"}
    /// ```
    ///
    /// Every version of Phoenix supports it, at `…/websocket?vsn=1.0.0` or without a version; the source is
    /// `Phoenix.Socket.V1.JSONSerializer`. It equals ``phoenixV2`` except for two limits: payloads must be JSON, and a
    /// server's pushes don't specify the join of their channel that they belong to.
    public static let phoenixV1 = phoenix(.v1)

    private static func phoenix(_ version: PhoenixVersion) -> SocketWire {
        SocketWire(
            version.name,
            features: [
                .requests, .notifications, .pushes, .uniformPushes, .channels, .confirmedLeaves, .heartbeats, .crashes,
            ]
        ) {
            role -> any WireMachine in
            switch role {
            case .client: PhoenixClient(version)
            case .server: PhoenixServer(version)
            }
        }
    }
}

/// A version of the serializer of Phoenix channels.
enum PhoenixVersion: Sendable {
    case v1, v2

    var name: String {
        switch self {
        case .v1: "phoenix.v1"
        case .v2: "phoenix.v2"
        }
    }

    func unsupported(_ what: String) -> NetError { SocketWire.unsupported(what, by: name) }

    /// Returns the channel of a request, a reply or a push, which must have one. Throws if it has none.
    func channel(_ topic: String?, for what: String) throws(NetError) -> String {
        guard let topic else { throw unsupported("\(what) outside of a channel") }
        return topic
    }

    /// Throws for a message that a peer would interpret as one of the protocol itself.
    func check(_ topic: String, _ event: String = "") throws(NetError) {
        guard topic != PhoenixMessage.system else { throw unsupported("channel named \(topic)") }
        guard !PhoenixMessage.reserved.contains(event) else { throw unsupported("events named \(event)") }
    }
}

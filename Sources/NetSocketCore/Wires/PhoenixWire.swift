extension SocketWire {
    /// Phoenix channels, version 2 of the serializer: one JSON array a message, `[join_ref, ref, topic, event, payload]`.
    ///
    /// ```text
    /// ["1","1","room:lobby","phx_join",{"role":"member"}]
    /// ["1","1","room:lobby","phx_reply",{"status":"ok","response":{}}]
    /// ["1","2","room:lobby","new_msg",{"body":"hello"}]
    /// ```
    ///
    /// Phoenix 1.4 and later speak it at `…/websocket?vsn=2.0.0`; the source is `Phoenix.Socket.V2.JSONSerializer`, and
    /// https://hexdocs.pm/phoenix/writing_a_channels_client.html describes it. Payloads of bytes travel in the serializer's
    /// binary messages, whose texts (references, topic and event) have 255 bytes at most. Phoenix's own server wants an object
    /// as each JSON payload; no payload is an empty one.
    ///
    /// The ID of a join is both its `join_ref` and its `ref`. A message of an earlier join of its channel is ignored. Without
    /// a channel there are no requests, no replies and no pushes, and replies don't repeat the event. The wire has no message
    /// that ends it: the closing handshake does.
    ///
    /// The response of a failure is `{"code":…,"reason":…}`, with `details` if there are any. In a response of another form,
    /// a `reason` of up to 64 bytes is the code, and the details are the whole response.
    ///
    /// A push that a server writes by a fresh machine has no `join_ref`, as the broadcasts of Phoenix have none; phoenix.js and
    /// this package's client take it for one of the current join.
    public static let phoenixV2 = phoenix(.v2)

    /// Phoenix channels, version 1 of the serializer: one JSON object a message.
    ///
    /// ```text
    /// {"topic":"room:lobby","event":"phx_join","payload":{},"ref":"1","join_ref":"1"}
    /// {"topic":"room:lobby","event":"phx_reply","payload":{"status":"ok","response":{}},"ref":"1"}
    /// ```
    ///
    /// Every version of Phoenix speaks it, at `…/websocket?vsn=1.0.0` or without a version; the source is
    /// `Phoenix.Socket.V1.JSONSerializer`. It is ``phoenixV2`` but for two limits: payloads must be JSON, and a server's pushes
    /// don't say to which join of their channel they belong.
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

    /// Returns the channel of a request, a reply or a push, which must have one.
    func channel(_ topic: String?, for what: String) throws(NetError) -> String {
        guard let topic else { throw unsupported("\(what) outside of a channel") }
        return topic
    }

    /// Throws for what a peer would take for a message of the protocol itself.
    func check(_ topic: String, _ event: String = "") throws(NetError) {
        guard topic != PhoenixMessage.system else { throw unsupported("channel named \(topic)") }
        guard !PhoenixMessage.reserved.contains(event) else { throw unsupported("events named \(event)") }
    }
}

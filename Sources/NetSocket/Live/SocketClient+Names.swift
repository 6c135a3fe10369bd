public import NetSocketCore

extension SocketClient {
    /// Sends a command whose name is known only at run time, and returns the payload of its reply; nil for none.
    ///
    ///     let client = SocketClient("wss://chat.example/socket")
    ///     client.start()
    ///     let reply = try await client.send("profile.get", payload: SocketPayload(json: #"{"id":7}"#))
    ///     print(reply?.json ?? "none")
    ///
    /// - Parameters:
    ///   - event: The name.
    ///   - payload: JSON, or bytes if the wire protocol carries them. Default none.
    ///   - channel: The channel. Default none.
    ///   - timeout: The limit for the reply, including the wait for a connection. Default: that of the configuration.
    ///   - offline: The handling of the command while there is no connection. Default: it waits.
    @discardableResult
    public func send(
        _ event: String, payload: SocketPayload? = nil, channel: String? = nil, timeout: Duration? = nil,
        offline: OfflineRule = .queue
    ) async throws(SocketCommandError) -> SocketPayload? {
        let limit = timeout ?? driver.configuration.requestTimeout
        return try await driver.recording(event, channel) { () async throws(SocketCommandError) in
            let message = SessionMachine.Request(
                event, payload: payload, topic: channel, timeout: limit, offline: offline)
            return try await driver.result(within: limit) { .request($0, message) }
        }
    }

    /// Sends a message that doesn't get a reply and whose name is known only at run time. A wire protocol without an
    /// envelope (``NetSocketCore/SocketWire/raw``) omits the name; the payload is the whole message.
    public func notify(
        _ event: String, payload: SocketPayload?, channel: String? = nil, offline: OfflineRule = .queue
    ) async throws(SocketCommandError) {
        let limit = driver.configuration.requestTimeout
        try await driver.recording(event, channel, wantsReply: false) { () async throws(SocketCommandError) in
            let message = SessionMachine.Request(
                event, payload: payload, topic: channel, wantsReply: false, timeout: limit, offline: offline)
            _ = try await driver.result(within: limit) { .request($0, message) }
        }
    }
}

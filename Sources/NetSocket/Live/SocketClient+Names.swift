internal import NetCore
package import NetSocketCore

extension SocketClient {
    /// Sends a command that is known by its name only, and returns the payload of its reply. Throws like
    /// ``send(_:timeout:offline:)``.
    package func send(
        _ event: String, payload: SocketPayload?, channel: String?, timeout: Duration
    ) async throws(SocketCommandError) -> SocketPayload? {
        try await driver.recording(event, channel) { () async throws(SocketCommandError) in
            let message = SessionMachine.Request(event, payload: payload, topic: channel, timeout: timeout)
            return try await driver.result { .request($0, message) }
        }
    }

    /// Sends a message without a reply that is known by its name only.
    package func notify(
        _ event: String, payload: SocketPayload?, channel: String?, timeout: Duration
    ) async throws(SocketCommandError) {
        try await driver.recording(event, channel, wantsReply: false) { () async throws(SocketCommandError) in
            let message = SessionMachine.Request(
                event, payload: payload, topic: channel, wantsReply: false, timeout: timeout)
            _ = try await driver.result { .request($0, message) }
        }
    }
}

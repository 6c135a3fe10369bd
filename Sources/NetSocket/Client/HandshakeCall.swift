internal import HTTPTypes
internal import NetClient
internal import NetCore

/// The call that opens a WebSocket. It ends when the server accepts the WebSocket or finally refuses it.
struct HandshakeCall: Sendable {
    private let call: ChainCall

    private var context: CallContext { call.context }

    init(_ call: ChainCall) { self.call = call }

    /// Sends the handshake through the chain and returns the open WebSocket.
    func connection() async throws(NetError) -> WebSocketConnection {
        let response = try await call.run()
        guard let link = response.link else { throw await refusal(by: response) }
        // The call may have been ended just as the server accepted. The connection then ends with the link.
        do throws(NetError) { try context.checkEnd(.waiting) } catch { throw call.fail(error) }
        context.end(.completed(status: response.status.code, responseBytes: 0))
        // If the transport's response hides the subprotocol, the subprotocol contains a secret.
        let shown = response.head[.secWebSocketProtocol] ?? link.subprotocol
        return WebSocketConnection(
            link, response: response.head, subprotocol: shown == link.subprotocol ? shown : nil,
            clock: context.environment.clock)
    }

    /// Returns the error for a response other than 101, with the beginning of its body.
    private func refusal(by response: StreamedResponse) async -> NetError {
        if let error = response.remark?.error { return call.fail(error) }
        let bytes: Bytes
        do throws(NetError) {
            bytes = try await call.lasting { () -> Result<Bytes, NetError> in
                do throws(NetError) {
                    return .success(try await response.body.beginning(upTo: RejectedResponse.streamedBytes).bytes)
                } catch {
                    return .failure(error)
                }
            }.get()
        } catch {
            return call.fail(error)
        }
        let status = response.status.code
        context.end(.rejected(status: status, responseBytes: Int64(bytes.count)))
        var message =
            "the server responded with status \(status) instead of opening a WebSocket; see `response` for why"
        if status == 101 {
            message = "a middleware returned status 101 without a connection; only transports open WebSockets"
        }
        if let note = response.remark?.note { message += "; \(note)" }
        return context.error(
            .unacceptableStatus, phase: .validating, message: message,
            response: .init(head: response.head, body: bytes))
    }
}

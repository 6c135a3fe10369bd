#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import NetCore
internal import NetSocketCore

/// An open WebSocket of URLSession. Dropping it drops the connection.
final class URLSessionWebSocketLink: WebSocketLink {
    let response: ResponseHead
    let subprotocol: String?
    private let driver: SocketTaskDriver

    init(_ driver: SocketTaskDriver, response: ResponseHead, subprotocol: String?) {
        self.driver = driver
        self.response = response
        self.subprotocol = subprotocol
    }

    deinit { drop() }

    /// The time since the last message or pong, because URLSession doesn't report bytes.
    var silence: Duration? { driver.silence }

    func send(_ message: WebSocketMessage) async throws(NetError) {
        switch driver.change({ machine, _ in machine.send(message) }) {
        case .taken: break
        case .ended(let error): throw error
        case .wait(let id): if case .failed(let error) = await driver.wait(id) { throw error }
        }
    }

    func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {
        for message in messages { try await send(message) }
    }

    func receive() async throws(NetError) -> [WebSocketMessage] {
        while true {
            switch driver.change({ machine, _ in machine.take() }) {
            case .messages(let messages): return messages
            case .ended(let error): throw error
            case .busy:
                throw driver.origin.error(
                    .invalidRequest, phase: .receiving,
                    message:
                        "another task is already receiving from this WebSocket; let one task receive and share the "
                        + "messages"
                )
            case .wait(let id): if case .failed(let error) = await driver.wait(id) { throw error }
            }
        }
    }

    func ping() async throws(NetError) -> Duration {
        switch driver.change({ machine, now in machine.ping(now: now) }) {
        case .taken: return .zero
        case .ended(let error): throw error
        case .wait(let id):
            switch await driver.wait(id) {
            case .answered(let time): return time
            case .failed(let error): throw error
            case .opened, .refused, .done: return .zero
            }
        }
    }

    func close(_ closure: WebSocketClosure) async {
        guard let id = driver.change({ machine, _ in machine.close(closure) }) else { return }
        await withTaskCancellationHandler {
            _ = await driver.suspend(id)
        } onCancel: {
            driver.change { machine, _ in machine.endClosing() }
        }
    }

    func drop() { driver.change { machine, _ in machine.drop() } }
}
#endif

#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import Foundation
internal import NetCore

/// A WebSocket task of URLSession.
final class URLSessionSocketTask: SocketTask {
    private let task: URLSessionWebSocketTask
    private let host: String

    init(_ task: URLSessionWebSocketTask, host: String) {
        self.task = task
        self.host = host
    }

    var response: ResponseHead? { task.response.flatMap { URLSessionHandshake.head($0) } }

    var closure: (code: WebSocketCloseCode, reason: String)? {
        // The code is zero ("invalid") as long as there isn't a close frame.
        guard let code = UInt16(exactly: task.closeCode.rawValue), code > 0 else { return nil }
        return (WebSocketCloseCode(rawValue: code), Self.reason(task.closeReason))
    }

    /// The reason of a close frame; empty if it isn't UTF-8.
    static func reason(_ data: Data?) -> String { data.flatMap { String(data: $0, encoding: .utf8) } ?? "" }

    func start() { task.resume() }

    func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, NetError>) -> Void) {
        task.receive { [host] result in
            switch result {
            case .success(.string(let text)): completion(.success(.text(text)))
            case .success(.data(let data)): completion(.success(.binary(Bytes(data))))
            case .success:
                completion(
                    .failure(
                        NetError(
                            .protocolViolation, phase: .receiving, message: "a message is neither text nor binary")))
            case .failure(let error):
                completion(.failure(URLSessionSocketFailure.error(error, host: host, phase: .receiving)))
            }
        }
    }

    func send(_ message: WebSocketMessage, _ completion: @escaping @Sendable (NetError?) -> Void) {
        let sent: URLSessionWebSocketTask.Message =
            switch message {
            case .text(let text): .string(text)
            case .binary(let bytes): .data(bytes.data)
            }
        task.send(sent) { [host] error in
            completion(error.map { URLSessionSocketFailure.error($0, host: host, phase: .sending) })
        }
    }

    func ping(_ completion: @escaping @Sendable (NetError?) -> Void) {
        task.sendPing { [host] error in
            completion(error.map { URLSessionSocketFailure.error($0, host: host, phase: .waiting) })
        }
    }

    func close(_ closure: WebSocketClosure) {
        // Foundation on Linux doesn't support application-defined codes.
        let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(closure.code.rawValue)) ?? .normalClosure
        let reason = closure.reason.prefix(upToBytes: 123)
        task.cancel(with: code, reason: reason.isEmpty ? nil : Data(reason.utf8))
    }

    func cancel() { task.cancel() }
}
#endif

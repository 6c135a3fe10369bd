internal import Logging
internal import NetCore

/// Logs the events of one WebSocket: when it opens and ends, and with more detail its frames.
final class SocketLog: ActivityListener {
    private let logger: Logger
    private let level: Logger.Level
    private let detail: LoggingMiddleware.Detail

    init(logger: Logger, level: Logger.Level, detail: LoggingMiddleware.Detail) {
        self.logger = logger
        self.level = level
        self.detail = detail
    }

    var interest: ActivityInterest { detail >= .verbose ? [.sockets, .socketFrames] : .sockets }

    func record(_ event: ActivityEvent) {}

    func record(_ event: SocketEvent) {
        guard let (level, text) = line(for: event) else { return }
        logger.log(level: level, "\(text().onOneLine)", metadata: Self.metadata(event))
    }

    private func line(for event: SocketEvent) -> (Logger.Level, () -> String)? {
        switch event.kind {
        case .opened(let opening):
            detail >= .standard ? (level, { "⇄ \(event.name) opened\(Self.text(opening))" }) : nil
        case .frame(let frame):
            (level, { "\(frame.direction == .sent ? "→" : "←") \(event.name) \(frame.kind.rawValue) \(frame.bytes) B" })
        case .roundTrip(let time):
            detail >= .verbose ? (level, { "· \(event.name) round trip \(time.seconds(places: 3)) s" }) : nil
        case .closed(let ending):
            (ending.isExpected ? level : .warning, { "✗ \(event.name) \(Self.text(ending, event))" })
        }
    }

    private static func text(_ opening: SocketEvent.Opening) -> String {
        var text = ""
        if let subprotocol = opening.subprotocol { text += ", subprotocol \(subprotocol)" }
        if opening.compression != nil { text += ", compressed" }
        if let address = opening.address { text += ", \(address)" }
        return text
    }

    private static func text(_ ending: SocketEvent.Ending, _ event: SocketEvent) -> String {
        let how =
            ending.error.code == .webSocketClosed
            ? "closed \(ending.code) \(ending.isByPeer ? "by the server" : "here")" : "\(ending.error.reason)"
        let (sent, received) = (ending.sent, ending.received)
        return "\(how), after \(event.elapsed.seconds(places: 3)) s; sent \(sent.messages) messages, \(sent.bytes) B; "
            + "received \(received.messages), \(received.bytes) B"
    }

    private static func metadata(_ event: SocketEvent) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["call": .stringConvertible(event.socket), "url": .string(event.url)]
        if let operation = event.metadata.operationName { metadata["operation"] = .string(operation) }
        guard case .closed(let ending) = event.kind else { return metadata }
        metadata["code"] = .stringConvertible(ending.code)
        metadata["duration"] = .string(event.elapsed.seconds(places: 6))
        if ending.error.code != .webSocketClosed { metadata["error"] = .string(ending.error.code.rawValue) }
        return metadata
    }
}

extension SocketEvent {
    /// The operation, if it has a name, and the URL.
    fileprivate var name: String { (metadata.operationName.map { "\($0) " } ?? "") + url }
}

extension SocketEvent.Ending {
    /// True for a closing handshake by this side, or with 1000 or 1001 by the peer.
    fileprivate var isExpected: Bool {
        error.code == .webSocketClosed && (!isByPeer || code == .normalClosure || code == .goingAway)
    }
}

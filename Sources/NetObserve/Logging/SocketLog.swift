internal import Logging
internal import NetCore

/// Logs the events of one WebSocket: its opening and its end, and at higher detail its frames.
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
            detail >= .standard ? (level, { "⇄ opened\(Self.text(opening))" }) : nil
        case .frame(let frame):
            (level, { "\(frame.direction == .sent ? "→" : "←") \(frame.kind.rawValue) \(frame.bytes) B" })
        case .roundTrip(let time):
            detail >= .verbose ? (level, { "· round trip \(time.seconds(places: 3)) s" }) : nil
        case .closed(let ending):
            (ending.isExpected ? level : .warning, { "✗ \(Self.text(ending))" })
        }
    }

    private static func text(_ opening: SocketEvent.Opening) -> String {
        var text = ""
        if let subprotocol = opening.subprotocol { text += ", subprotocol \(subprotocol)" }
        if opening.compression != nil { text += ", compressed" }
        if let address = opening.address { text += ", \(address)" }
        return text
    }

    private static func text(_ ending: SocketEvent.Ending) -> String {
        let how =
            ending.error.code == .webSocketClosed
            ? "closed \(ending.isByPeer ? "by the server" : "here")" : "failed \(ending.error.place)"
        let (sent, received) = (ending.sent, ending.received)
        return "\(how); sent \(sent.messages) messages, \(sent.bytes) B; "
            + "received \(received.messages), \(received.bytes) B"
    }

    private static func metadata(_ event: SocketEvent) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["call": .stringConvertible(event.socket), "url": .string(event.url.onOneLine)]
        if let operation = event.metadata.operationName { metadata["operation"] = .string(operation.onOneLine) }
        metadata.add(tags: event.metadata.tags)
        guard case .closed(let ending) = event.kind else { return metadata }
        metadata["code"] = .stringConvertible(ending.code)
        metadata["duration"] = .string(event.elapsed.seconds(places: 6))
        if ending.error.code != .webSocketClosed { metadata["error"] = .string(ending.error.code.rawValue) }
        return metadata
    }
}

extension SocketEvent.Ending {
    /// True for a closing handshake started by this side, or by the peer with 1000 or 1001.
    fileprivate var isExpected: Bool {
        error.code == .webSocketClosed && (!isByPeer || code == .normalClosure || code == .goingAway)
    }
}

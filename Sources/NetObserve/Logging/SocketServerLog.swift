public import Logging
public import NetCore

/// Logs the activities of a WebSocket server: refused handshakes, connections, channels, commands and draining.
///
/// Commands that failed or took too long, and dropped pushes, are logged as warnings; everything else is logged at
/// ``level``. Every line about a connection has the metadata `connection` and `path`. The line of a command also has
/// `event`, `outcome`, `duration` (in seconds), and if present `topic` and the code of its failure as `error`. Users,
/// addresses, payloads, reasons and error messages are never logged. The text of a line doesn't repeat its metadata.
///
/// Each entry is one line. No text is created below the logger's level.
///
///     var configuration = SocketServerConfiguration()
///     configuration.listeners = [SocketServerLog(logger: Logger(label: "chat"))]
public struct SocketServerLog: ActivityListener {
    private let logger: Logger
    /// The level of lines that aren't warnings. Default info.
    public let level: Logger.Level
    /// The amount of detail. Minimal logs refused handshakes, ends of connections, draining and warnings. Standard
    /// also logs new connections, channels, subscriptions and commands. Verbose also logs each frame with its size.
    /// Default standard.
    public let detail: LoggingMiddleware.Detail

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - logger: The destination.
    ///   - level: The level of lines that aren't warnings. Default info.
    ///   - detail: The amount of detail. Default standard.
    public init(logger: Logger, level: Logger.Level = .info, detail: LoggingMiddleware.Detail = .standard) {
        self.logger = logger
        self.level = level
        self.detail = detail
    }

    public var interest: ActivityInterest {
        switch detail {
        case .none: []
        case .minimal, .standard: .socketServers
        case .verbose: [.socketServers, .sockets, .socketFrames]
        }
    }

    public func record(_ event: ActivityEvent) {}

    public func record(_ event: SocketEvent) {
        guard event.side == .server, logger.logLevel <= level else { return }
        let text: String
        switch event.kind {
        case .opened, .closed: return
        case .frame(let frame):
            text = "\(frame.direction == .sent ? "→" : "←") \(frame.kind.rawValue) \(frame.bytes) B"
        case .roundTrip(let time): text = "· round trip \(time.seconds(places: 3)) s"
        }
        let metadata: Logger.Metadata = [
            "connection": .stringConvertible(event.socket), "path": .string(event.url.onOneLine),
        ]
        logger.log(level: level, "\(text.onOneLine)", metadata: metadata)
    }

    public func record(_ activity: SocketServerActivity) {
        let level = activity.kind.isTrouble ? Logger.Level.warning : level
        guard logger.logLevel <= level, activity.kind.isTrouble || detail >= activity.kind.detail else { return }
        logger.log(level: level, "\(activity.kind.text.onOneLine)", metadata: Self.metadata(activity))
    }

    private static func metadata(_ activity: SocketServerActivity) -> Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        if let connection = activity.connection { metadata["connection"] = .stringConvertible(connection) }
        if let path = activity.path { metadata["path"] = .string(path.onOneLine) }
        switch activity.kind {
        case .command(let command):
            metadata["event"] = .string(command.event.onOneLine)
            metadata["outcome"] = .string(command.outcome.rawValue)
            metadata["duration"] = .string(command.duration.seconds(places: 6))
            if let topic = command.topic { metadata["topic"] = .string(topic.onOneLine) }
            if let code = command.code { metadata["error"] = .string(code) }
        case .refused(let reason, let status):
            metadata["reason"] = .string(reason.rawValue)
            if let status { metadata["status"] = .stringConvertible(status) }
        case .joined(let topic), .left(let topic), .gap(let topic): metadata["topic"] = .string(topic.onOneLine)
        case .notJoined(_, let code), .unsubscribed(_, let code?): metadata["error"] = .string(code)
        case .closed(let code, _):
            metadata["code"] = .stringConvertible(code)
            metadata["duration"] = .string(activity.elapsed.seconds(places: 6))
        case .dropped(let count, let reason):
            metadata["count"] = .stringConvertible(count)
            metadata["reason"] = .string(reason.rawValue)
        case .unreadable(let bytes): metadata["bytes"] = .stringConvertible(bytes)
        case .fanOutAway(let reason): metadata["reason"] = .string(reason.onOneLine)
        case .opened, .authenticated, .subscribed, .unsubscribed(_, nil), .drainBegan, .drainEnded, .fanOutBack: break
        }
        return metadata
    }
}

extension SocketServerActivity.Kind {
    /// True if the activity needs attention, so that it is logged as a warning.
    fileprivate var isTrouble: Bool {
        switch self {
        case .command(let command): command.outcome == .failed || command.outcome == .timeout
        case .dropped, .gap, .fanOutAway: true
        case .drainEnded(let count): count > 0
        default: false
        }
    }

    /// The minimum detail for a line that isn't a warning.
    fileprivate var detail: LoggingMiddleware.Detail {
        switch self {
        case .refused, .closed, .drainBegan, .drainEnded, .fanOutBack: .minimal
        default: .standard
        }
    }

    fileprivate var text: String {
        switch self {
        case .refused: "✗ handshake refused"
        case .opened(let opening):
            "⇄ opened, \(opening.wire)\(opening.subprotocol.map { ", subprotocol \($0)" } ?? "")"
        case .authenticated: "· authenticated"
        case .joined: "⇄ joined"
        case .notJoined(let pattern, _): "✗ join of \(pattern ?? "no channel") refused"
        case .left: "· left"
        case .command(let command): command.outcome == .success ? "→ command" : "✗ command"
        case .subscribed(let number): "← subscription \(number)"
        case .unsubscribed(let number, nil): "→ subscription \(number) ended"
        case .unsubscribed(let number, _?): "✗ subscription \(number) ended"
        case .unreadable: "✗ a message can't be read"
        case .dropped: "✗ pushes not sent"
        case .closed(_, let isByPeer): "· closed \(isByPeer ? "by the client" : "here")"
        case .gap: "✗ pushes of a channel were lost"
        case .fanOutAway: "✗ the server is cut off from the others"
        case .fanOutBack: "⇄ the server is connected to the others again"
        case .drainBegan(let count): "· the server is stopping; \(count) connections"
        case .drainEnded(0): "· the server has stopped"
        case .drainEnded(let count): "✗ the server has stopped; \(count) connections were cut off"
        }
    }
}

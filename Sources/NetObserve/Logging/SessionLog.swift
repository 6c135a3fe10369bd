internal import Logging
internal import NetCore

/// Logs what one session over WebSockets does.
final class SessionLog: ActivityListener {
    private let logger: Logger
    private let level: Logger.Level
    private let detail: LoggingMiddleware.Detail

    init(logger: Logger, level: Logger.Level, detail: LoggingMiddleware.Detail) {
        self.logger = logger
        self.level = level
        self.detail = detail
    }

    var interest: ActivityInterest { .sessions }

    func record(_ event: ActivityEvent) {}

    func record(_ activity: SessionActivity) {
        let (isTrouble, text) = Self.line(for: activity.kind)
        guard isTrouble || detail >= activity.kind.detail else { return }
        let name = activity.url ?? "session"
        logger.log(
            level: isTrouble ? .warning : level, "\(text(name).onOneLine)", metadata: Self.metadata(activity))
    }

    /// Returns whether the line is a warning, and a closure that creates its text only if it is logged.
    private static func line(for kind: SessionActivity.Kind) -> (Bool, (String) -> String) {
        switch kind {
        case .opened: (false, { "⇄ \($0) session open" })
        case .waiting(let attempt, let wait, let error):
            (
                true,
                {
                    let time = wait.map { "in \($0.seconds(places: 3)) s" } ?? "when the network is back"
                    return "↻ \($0): attempt \(attempt) \(time), \(error.reason)"
                }
            )
        case .paused: (false, { "· \($0) session paused" })
        case .joined(let topic, let missed): (missed == .some, { "⇄ \($0) joined \(topic)\(missed.text)" })
        case .notJoined(let topic, let failure): (true, { "✗ \($0) join of \(topic): \(failure.text)" })
        case .left(let topic, nil): (false, { "· \($0) left \(topic)" })
        case .left(let topic, let code?): (true, { "✗ \($0) left \(topic): \(code.prefix(64))" })
        case .gap(let topic): (true, { "✗ \($0) pushes of \(topic) are missing" })
        case .undelivered(let count): (true, { "✗ \($0) \(count) messages may not have arrived" })
        case .unhandled(let event, let error): (true, { "✗ \($0) not answered: \(event), \(error.reason)" })
        case .command(let command): line(for: command)
        case .subscribed(let number): (false, { "→ \($0) subscription \(number)" })
        case .unsubscribed(let number, nil): (false, { "← \($0) subscription \(number) ended" })
        case .unsubscribed(let number, let code?):
            (true, { "✗ \($0) subscription \(number) ended: \(code.prefix(64))" })
        case .unreadable(let error): (true, { "✗ \($0) unreadable: \(error.reason)" })
        case .ended(nil): (false, { "· \($0) session closed" })
        case .ended(let error?): (true, { "✗ \($0) session failed: \(error.reason)" })
        }
    }

    private static func line(for command: SessionActivity.Command) -> (Bool, (String) -> String) {
        let name = command.event + (command.topic.map { " in \($0)" } ?? "")
        let time = command.duration.seconds(places: 3)
        return switch command.failure {
        case let failure?: (true, { "✗ \($0) \(name) after \(time) s: \(failure.text)" })
        case nil where command.wantsReply: (false, { "← \($0) \(name) in \(time) s" })
        case nil: (false, { "→ \($0) \(name)" })
        }
    }

    private static func metadata(_ activity: SessionActivity) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["session": .stringConvertible(activity.session)]
        if let url = activity.url { metadata["url"] = .string(url) }
        if let socket = activity.socket { metadata["call"] = .stringConvertible(socket) }
        if let topic = activity.kind.topic { metadata["topic"] = .string(topic) }
        if case .command(let command) = activity.kind {
            metadata["event"] = .string(command.event)
            metadata["duration"] = .string(command.duration.seconds(places: 6))
        }
        if case .waiting(_, let wait?, _) = activity.kind { metadata["delay"] = .string(wait.seconds(places: 3)) }
        // The server's codes can be any text.
        if let error = activity.kind.error { metadata["error"] = .string(error.onOneLine) }
        return metadata
    }
}

extension SessionActivity.Kind {
    /// The detail from which on a line that is no warning is logged.
    fileprivate var detail: LoggingMiddleware.Detail {
        switch self {
        case .ended: .minimal
        default: .standard
        }
    }

    fileprivate var topic: String? {
        switch self {
        case .joined(let topic, _), .notJoined(let topic, _), .left(let topic, _), .gap(let topic): topic
        case .command(let command): command.topic
        default: nil
        }
    }

    /// The code of an error, or that of the server.
    fileprivate var error: String? {
        switch self {
        case .waiting(_, _, let error), .unreadable(let error), .unhandled(_, let error), .ended(let error?):
            error.code.rawValue
        case .left(_, let code), .unsubscribed(_, let code): code.map { String($0.prefix(64)) }
        case .notJoined(_, let failure): failure.code
        case .command(let command): command.failure?.code
        default: nil
        }
    }
}

extension SessionActivity.Failure {
    fileprivate var code: String {
        switch self {
        case .rejected(let code): String(code.prefix(64))
        case .failed(let error): error.code.rawValue
        }
    }

    fileprivate var text: String {
        switch self {
        case .rejected(let code): "refused with \(code.prefix(64))"
        case .failed(let error): error.reason
        }
    }
}

extension MissedPushes {
    fileprivate var text: String {
        switch self {
        case .nothing: ""
        case .some: ", pushes are missing"
        case .unknown: ", pushes may be missing"
        }
    }
}

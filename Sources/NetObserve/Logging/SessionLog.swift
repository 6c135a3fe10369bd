internal import Logging
internal import NetCore

/// Logs the activities of one session over WebSockets.
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
        logger.log(level: isTrouble ? .warning : level, "\(text().onOneLine)", metadata: Self.metadata(activity))
    }

    /// Returns true if the line is a warning, and a closure that creates its text only if it is logged.
    private static func line(for kind: SessionActivity.Kind) -> (Bool, () -> String) {
        switch kind {
        case .opened: (false, { "⇄ session open" })
        case .waiting(let attempt, let wait, let error):
            (
                true,
                {
                    "↻ attempt \(attempt) follows\(wait == nil ? " when the network is back" : ""), failed \(error.place)"
                }
            )
        case .paused: (false, { "· session paused" })
        case .joined(_, let missed): (missed == .some, { "⇄ joined\(missed.text)" })
        case .notJoined(_, let failure): (true, { "✗ not joined: \(failure.text)" })
        case .left(_, nil): (false, { "· left" })
        case .left(_, _?): (true, { "✗ left by the server" })
        case .gap: (true, { "✗ pushes are missing" })
        case .undelivered(let count): (true, { "✗ \(count) messages may not have arrived" })
        case .unhandled(let event, let error): (true, { "✗ no reply sent: \(event), \(error.place)" })
        case .command(let command): line(for: command)
        case .subscribed(let number): (false, { "→ subscription \(number)" })
        case .unsubscribed(let number, nil): (false, { "← subscription \(number) ended" })
        case .unsubscribed(let number, _?): (true, { "✗ subscription \(number) ended by the server" })
        case .unreadable(let error): (true, { "✗ unreadable \(error.place)" })
        case .ended(nil): (false, { "· session closed" })
        case .ended(let error?): (true, { "✗ session failed \(error.place)" })
        }
    }

    private static func line(for command: SessionActivity.Command) -> (Bool, () -> String) {
        switch command.failure {
        case let failure?: (true, { "✗ command failed: \(failure.text)" })
        case nil where command.wantsReply: (false, { "← reply" })
        case nil: (false, { "→ message" })
        }
    }

    private static func metadata(_ activity: SessionActivity) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["session": .stringConvertible(activity.session)]
        if let url = activity.url { metadata["url"] = .string(url.onOneLine) }
        if let socket = activity.socket { metadata["call"] = .stringConvertible(socket) }
        if let topic = activity.kind.topic { metadata["topic"] = .string(topic.onOneLine) }
        if case .command(let command) = activity.kind {
            metadata["event"] = .string(command.event.onOneLine)
            metadata["duration"] = .string(command.duration.seconds(places: 6))
        }
        if case .waiting(_, let wait?, _) = activity.kind { metadata["delay"] = .string(wait.seconds(places: 3)) }
        // The server's codes can be arbitrary text.
        if let error = activity.kind.error { metadata["error"] = .string(error.onOneLine) }
        return metadata
    }
}

extension SessionActivity.Kind {
    /// The minimum detail for a line that isn't a warning.
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

    /// The code of an error, or the server's code.
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
        case .rejected: "refused by the server"
        case .failed(let error): error.place
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

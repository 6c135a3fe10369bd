#if Server
internal import Logging
internal import NetCore
internal import NetObserve
internal import NetSocketCore

/// An event of a connection that the server logs.
enum ConnectionNote: Sendable {
    /// A message of the client couldn't be read.
    case unreadable(String)
    /// A message couldn't be encoded by the wire protocol.
    case unwritable(NetError)
    case violated(WebSocketViolation)
    /// The handler of a command has ended.
    case command(String, SocketServerActivity.Outcome)
    case joined(String)
    /// A client wasn't allowed to join a channel; with the code of the failure.
    case notJoined(String)
    /// Messages of a session were never acknowledged, and its client has started a new session.
    case undelivered(Int)
    /// The connection has ended; nil if no close frame was sent.
    case ended(WebSocketClosure?)

    /// The level of its line in the log.
    var level: Logger.Level {
        switch self {
        case .unreadable, .violated, .command, .joined, .notJoined, .ended: .debug
        case .undelivered: .notice
        case .unwritable: .warning
        }
    }
}

extension SocketServerCore {
    /// Logs an error under a reference, which reveals nothing to a client.
    func reference(to error: any Error, in event: String) -> String {
        let id = makeID().description
        // Only the error's type is logged: its text may contain data that a client has sent.
        logger.error(
            "a handler threw an error",
            metadata: ["reference": "\(id)", "event": "\(event)", "error": "\(ErrorSummary.describe(error))"])
        return id
    }

    func note(_ note: ConnectionNote, _ connection: ServerConnection) {
        // Most servers don't log these events; then no text is created for them.
        guard logger.logLevel <= note.level else { return }
        var metadata: Logger.Metadata = ["connection": "\(connection.id)"]
        func log(_ text: Logger.Message) { logger.log(level: note.level, text, metadata: metadata) }
        switch note {
        case .unreadable(let problem):
            metadata["error"] = "\(problem)"
            log("a message could not be read")
        case .unwritable(let error):
            metadata["error"] = "\(error.message)"
            log("a message could not be written")
        case .violated(let violation):
            metadata["code"] = "\(violation.code)"
            metadata["violation"] = "\(violation.message)"
            log("a client violated the protocol")
        case .command(let event, let outcome):
            metadata["event"] = "\(event)"
            metadata["outcome"] = "\(outcome.rawValue)"
            log("a command ended")
        case .joined(let topic):
            metadata["topic"] = "\(topic.onOneLine)"
            log("a connection joined a channel")
        case .notJoined(let code):
            metadata["error"] = "\(code)"
            log("a join was refused")
        case .ended(let closure):
            let code = closure?.decisiveCode ?? .abnormalClosure
            metadata["code"] = "\(code)"
            metadata["by"] = closure.map { $0.isByPeer ? "client" : "server" } ?? "network"
            // Close reasons from clients aren't logged, nor those of handlers, which use application close codes.
            if let closure, !closure.isByPeer, code.rawValue < 3000 {
                metadata["reason"] = "\(closure.sentCode == nil ? closure.reason : closure.sentReason)"
            }
            if closure?.sentCode != nil { metadata["confirmed"] = "false" }
            log("a connection ended")
        case .undelivered(let count):
            metadata["count"] = "\(count)"
            log("messages of a session were not acknowledged and are lost")
        }
    }
}
#endif

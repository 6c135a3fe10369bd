#if Server
internal import Logging
internal import NetCore
internal import NetSocketCore

/// What a server notes of a connection.
enum ConnectionNote: Sendable {
    /// A message of the client couldn't be read.
    case unreadable(NetError)
    /// Something couldn't be written by the wire protocol.
    case unwritable(NetError)
    case violated(WebSocketViolation)
    /// Messages of a session were never acknowledged, and its client has begun anew.
    case undelivered(Int)
    /// It is over; nil if no close frame was sent.
    case ended(WebSocketClosure?)
}

extension ServerCore {
    /// Logs an error under a reference that no client can learn anything from.
    func reference(to error: any Error, in event: String) -> String {
        let id = makeID().description
        // Its type alone: an error's text may hold what a client has sent.
        logger.error(
            "a handler has thrown an error",
            metadata: ["reference": "\(id)", "event": "\(event)", "error": "\(ErrorSummary.describe(error))"])
        return id
    }

    func note(_ note: ConnectionNote, _ connection: ServerConnection) {
        var metadata: Logger.Metadata = ["connection": "\(connection.id)"]
        switch note {
        case .unreadable(let error):
            metadata["error"] = "\(error.message)"
            logger.debug("a message could not be read", metadata: metadata)
        case .unwritable(let error):
            metadata["error"] = "\(error.message)"
            logger.warning("a message could not be written", metadata: metadata)
        case .violated(let violation):
            metadata["code"] = "\(violation.code)"
            metadata["violation"] = "\(violation.message)"
            logger.debug("a client has violated the protocol", metadata: metadata)
        case .ended(let closure):
            metadata["code"] = "\(closure?.code ?? .abnormalClosure)"
            metadata["by"] = closure.map { $0.isByPeer ? "client" : "server" } ?? "network"
            // The words of a client aren't logged, nor those of handlers, which come with codes of applications.
            if let closure, !closure.isByPeer, closure.code.rawValue < 3000 {
                metadata["reason"] = "\(closure.reason)"
            }
            logger.debug("a connection has ended", metadata: metadata)
        case .undelivered(let count):
            metadata["count"] = "\(count)"
            logger.notice("messages of a session were not acknowledged and are lost", metadata: metadata)
        }
    }
}
#endif

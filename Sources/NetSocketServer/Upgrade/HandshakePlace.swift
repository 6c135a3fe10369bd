#if Server
internal import Logging
internal import NetCore
internal import NetObserve

/// The place that a handshake comes from and goes to, for the log.
struct HandshakePlace: Sendable {
    /// The path, without the query.
    var path: String
    /// The address of the client; nil if unknown.
    var address: String?

    init(_ handshake: SocketHandshake) {
        (path, address) = (handshake.path, handshake.address)
    }

    init(_ head: ConnectionHead) {
        (path, address) = (head.path, head.address)
    }
}

extension SocketServerCore {
    /// Counts, logs and reports a refusal.
    ///
    /// - Parameter place: The place of the handshake; nil if the request couldn't be read.
    func refused(
        _ reason: SocketServerMetrics.Refusal, _ refusal: SocketRefusal, at place: HandshakePlace?
    ) -> SocketRefusal {
        metrics.refused(reason)
        observer?.report(.refused(reason, status: refusal.status.code))
        guard logger.logLevel <= .info else { return refusal }
        var metadata: Logger.Metadata = ["reason": "\(reason.rawValue)", "status": "\(refusal.status.code)"]
        if let place {
            metadata["path"] = "\(configuration.redaction.redact(url: place.path).onOneLine)"
            metadata["address"] = place.address.map { "\($0)" }
        }
        // The text of a program's own refusal may contain anything.
        if reason == .invalid { metadata["detail"] = "\(refusal.message)" }
        logger.info("a handshake was refused", metadata: metadata)
        return refusal
    }
}
#endif

#if os(Linux)
internal import NetCore

/// The transfers that receive libcurl's messages, to learn of streams that a server hasn't processed.
///
/// A GOAWAY is reported to the transfer for which libcurl happens to read from the connection. So while a request that
/// must not be sent twice is under way over HTTP/2, all transfers of its multi handle receive them. With messages for such
/// requests only, 97 of 419 refused streams weren't recognized in a mix with as many GETs.
extension LoopCore {
    /// Called for a transfer that has got its handle.
    func listen(for transfer: Transfer, _ easy: EasyHandle, _ multi: MultiHandle) {
        guard !easy.isHTTP1, CurlFeatures.reportsLastStream else { return }
        guard !transfer.isRepeatable else {
            if multi.listeners > 0, multi.kind == .collected {
                easy.receiveMessages()
            } else if transfer.options.method.hasBody {
                // To know later that it went over HTTP/2.
                easy.receiveMessages(streamOnly: true)
            }
            return
        }
        transfer.needsMessages = true
        multi.listeners += 1
        easy.receiveMessages()
        // Streamed transfers have connections of their own.
        guard multi.listeners == 1, multi.kind == .collected else { return }
        for other in live where other.multi === multi {
            if let easy = other.easy, !easy.isHTTP1 { easy.receiveMessages() }
        }
    }

    /// Called when a request was written over HTTP/1, whose connection has no streams.
    func wroteHTTP1(_ transfer: Transfer, _ easy: EasyHandle) {
        easy.stopMessages()
        stopListening(for: transfer)
    }

    /// Called for a transfer that is about to give its handle back, or needs no more messages.
    func stopListening(for transfer: Transfer) {
        guard transfer.needsMessages, let multi = transfer.multi else { return }
        transfer.needsMessages = false
        multi.listeners -= 1
        if multi.listeners == 0, !multi.refused.isEmpty { multi.refused.removeAll() }
    }
}
#endif

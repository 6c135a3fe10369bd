#if Server
internal import NIOCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

extension Channel {
    /// Closes the socket immediately, without a TLS close_notify; with a reset (RST) instead of an orderly end if
    /// requested.
    func endAbruptly(resets: Bool) async {
        // On the event loop, each step is complete when its call returns. An already closed channel isn't an error.
        try? await eventLoop.submit {
            if resets { self.willReset() }
            self.closeAbruptly()
        }.get()
        try? await closeFuture.get()
    }

    /// Makes any later close reset the connection. Call on the event loop only.
    func willReset() {
        guard let options = self as? any SocketOptionProvider else { return }
        _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }

    /// Closes the socket without a TLS close_notify. Call on the event loop only.
    func closeAbruptly() {
        if let context = try? pipeline.syncOperations.context(name: ServerTLS.handlerName) {
            // Closing below the TLS handler skips the close_notify exchange.
            context.close(promise: nil)
        } else {
            close(promise: nil)
        }
    }

    /// Stops reading, and waits until the connection ends.
    func becomeDeaf() async {
        try? await setOption(.autoRead, value: false).get()
        try? await closeFuture.get()
    }
}
#endif

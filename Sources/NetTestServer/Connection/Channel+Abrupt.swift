#if Server
internal import NIOCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

extension Channel {
    /// Closes the socket at once, without a TLS farewell; with a reset (RST) instead of an orderly end where asked.
    func endAbruptly(resets: Bool) async {
        // On the loop each step is over when its call returns. Already closed is what is wanted.
        try? await eventLoop.submit {
            if resets { self.willReset() }
            self.closeAbruptly()
        }.get()
        try? await closeFuture.get()
    }

    /// From now on, closing resets the connection, whoever closes it. On the event loop only.
    func willReset() {
        guard let options = self as? any SocketOptionProvider else { return }
        _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }

    /// Closes the socket without a TLS farewell. On the event loop only.
    func closeAbruptly() {
        if let context = try? pipeline.syncOperations.context(name: ServerTLS.handlerName) {
            // Closing below the TLS handler skips its exchange of close_notify.
            context.close(promise: nil)
        } else {
            close(promise: nil)
        }
    }

    /// Reads nothing more, and waits until the connection ends.
    func becomeDeaf() async {
        try? await setOption(.autoRead, value: false).get()
        try? await closeFuture.get()
    }
}
#endif

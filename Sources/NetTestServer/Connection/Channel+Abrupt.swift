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
            if resets, let options = self as? any SocketOptionProvider {
                _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            }
            if let context = try? self.pipeline.syncOperations.context(name: ServerTLS.handlerName) {
                // Closing below the TLS handler skips its exchange of close_notify.
                context.close(promise: nil)
            } else {
                self.close(promise: nil)
            }
        }.get()
        try? await closeFuture.get()
    }

    /// Reads nothing more, and waits until the connection ends.
    func becomeDeaf() async {
        try? await setOption(.autoRead, value: false).get()
        try? await closeFuture.get()
    }
}
#endif

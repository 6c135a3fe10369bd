#if Server
internal import NIOCore
internal import NIOSSL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

extension Channel {
    /// Closes the socket at once, without a TLS farewell; with a reset (RST) instead of an orderly end where asked.
    func endAbruptly(resets: Bool) async {
        if resets, let options = self as? any SocketOptionProvider {
            // Already closed is what is wanted.
            try? await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        let isSecured = (try? await pipeline.containsHandler(type: NIOSSLServerHandler.self).get()) != nil
        if isSecured {
            // Closing below the TLS handler skips its exchange of close_notify.
            let pipeline = pipeline
            try? await eventLoop.submit {
                let context = try pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
                context.close(promise: nil)
            }.get()
        } else {
            try? await close().get()
        }
        try? await closeFuture.get()
    }

    /// Reads nothing more, and waits until the connection ends.
    func becomeDeaf() async {
        try? await setOption(.autoRead, value: false).get()
        try? await closeFuture.get()
    }
}
#endif

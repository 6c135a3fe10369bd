#if Server
public import NIOCore
public import NIOHTTP1

/// Mounts a server in any HTTP/1.1 pipeline of NIO: an upgrader for `HTTPServerUpgradeHandler`.
///
/// After the upgrade one handler stands on the channel's bytes, behind the one that upgrades; the program's own HTTP handlers
/// must leave the pipeline when NIO says that the upgrade is complete. The server must run (``SocketServer/serve()``).
///
/// A handshake for a path without a wire protocol, and every other refusal, is answered by this upgrader, which then closes the
/// channel.
public final class SocketUpgrader: HTTPServerProtocolUpgrader, Sendable {
    private let desk: HandshakeDesk

    public let supportedProtocol = "websocket"
    public let requiredUpgradeHeaders: [String] = []

    /// Creates an upgrader, for as many channels as you like.
    public init<Principal>(_ server: SocketServer<Principal>) {
        desk = HandshakeDesk(server.core)
    }

    init(_ desk: HandshakeDesk) {
        self.desk = desk
    }

    public func buildUpgradeResponse(
        channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        desk.accept(upgradeRequest, on: channel)
    }

    public func upgrade(context: ChannelHandlerContext, upgradeRequest: HTTPRequestHead) -> EventLoopFuture<Void> {
        let sync = context.pipeline.syncOperations
        return context.eventLoop.makeCompletedFuture {
            let handler = try desk.makeHandler(for: context.channel)
            try sync.addHandler(handler, position: .after(context.handler))
        }
    }
}

/// Mounts a server where an HTTP server uses NIO's typed upgrades (`NIOTypedHTTPServerUpgradeHandler`).
public struct SocketTypedUpgrader<UpgradeResult: Sendable>: NIOTypedHTTPServerProtocolUpgrader {
    private let desk: HandshakeDesk
    private let result: @Sendable (any Channel) -> UpgradeResult

    public let supportedProtocol = "websocket"
    public let requiredUpgradeHeaders: [String] = []

    /// Creates an upgrader, for as many channels as you like.
    ///
    /// - Parameters:
    ///   - server: The server, which must run (``SocketServer/serve()``).
    ///   - result: Makes what the program's upgrade results in. Nobody else may read the channel.
    public init<Principal>(
        _ server: SocketServer<Principal>, result: @escaping @Sendable (any Channel) -> UpgradeResult
    ) {
        desk = HandshakeDesk(server.core)
        self.result = result
    }

    public func buildUpgradeResponse(
        channel: any Channel, upgradeRequest: HTTPRequestHead, initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        desk.accept(upgradeRequest, on: channel)
    }

    public func upgrade(channel: any Channel, upgradeRequest: HTTPRequestHead) -> EventLoopFuture<UpgradeResult> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(try desk.makeHandler(for: channel))
            return result(channel)
        }
    }
}
#endif

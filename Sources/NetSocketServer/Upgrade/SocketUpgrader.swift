#if Server
public import NIOCore
public import NIOHTTP1

/// Mounts a server in any NIO HTTP/1.1 pipeline: an upgrader for `HTTPServerUpgradeHandler`.
///
/// After the upgrade, a single handler processes the channel's bytes, behind the upgrade handler. The program's own
/// HTTP handlers must leave the pipeline when NIO reports that the upgrade is complete. The server must be running
/// (``SocketServer/serve()``).
///
/// For a handshake that is refused, for example because its path has no wire protocol, this upgrader sends the
/// response and then closes the channel.
public final class SocketUpgrader: HTTPServerProtocolUpgrader, Sendable {
    private let desk: HandshakeDesk

    public let supportedProtocol = "websocket"
    public let requiredUpgradeHeaders: [String] = []

    /// Creates an upgrader, which any number of channels can share.
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

/// Mounts a server in an HTTP server that uses NIO's typed upgrades (`NIOTypedHTTPServerUpgradeHandler`).
public struct SocketTypedUpgrader<UpgradeResult: Sendable>: NIOTypedHTTPServerProtocolUpgrader {
    private let desk: HandshakeDesk
    private let result: @Sendable (any Channel) -> UpgradeResult

    public let supportedProtocol = "websocket"
    public let requiredUpgradeHeaders: [String] = []

    /// Creates an upgrader, which any number of channels can share.
    ///
    /// - Parameters:
    ///   - server: The server, which must be running (``SocketServer/serve()``).
    ///   - result: Makes the result of the program's upgrade. No other code may read the channel.
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

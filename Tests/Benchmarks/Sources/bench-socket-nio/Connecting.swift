import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// The server rejected the WebSocket handshake.
struct Refused: Error {}

/// A single event loop, like the other clients.
private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

/// Opens a WebSocket; `upgrade` creates the client from the channel, on its event loop.
func openWebSocket<Client: Sendable>(
    port: Int, path: String, upgrade: @escaping @Sendable (any Channel) throws -> Client
) async throws -> Client {
    let upgrader = NIOTypedWebSocketClientUpgrader<Client>(
        maxFrameSize: 1 << 24,
        upgradePipelineHandler: { channel, _ in
            channel.eventLoop.makeCompletedFuture { try upgrade(channel) }
        })
    let result = try await ClientBootstrap(group: group)
        .channelOption(.socketOption(.tcp_nodelay), value: 1)
        .connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try configure(channel, path: path, upgrader: upgrader)
            }
        }
    return try await result.get()
}

private func configure<Client: Sendable>(
    _ channel: any Channel, path: String, upgrader: NIOTypedWebSocketClientUpgrader<Client>
) throws -> EventLoopFuture<Client> {
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: ["Host": "127.0.0.1"])
    let configuration = NIOTypedHTTPClientUpgradeConfiguration(
        upgradeRequestHead: head, upgraders: [upgrader],
        notUpgradingCompletionHandler: { $0.eventLoop.makeFailedFuture(Refused()) })
    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
        configuration: .init(upgradeConfiguration: configuration))
}

extension WebSocketFrame {
    /// Returns a complete message of a client. The masking key comes from the system's random numbers, as in SwiftNIO.
    static func message(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
    }
}

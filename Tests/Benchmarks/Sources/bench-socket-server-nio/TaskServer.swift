import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

private typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

/// A task for each connection, as in SwiftNIO's example.
func serveTasks(_ bootstrap: ServerBootstrap) async throws {
    let listener: NIOAsyncChannel<EventLoopFuture<Frames?>, Never> = try await bootstrap.bind(
        host: "127.0.0.1", port: 0
    ) { channel in
        channel.eventLoop.makeCompletedFuture {
            let upgrader = NIOTypedWebSocketServerUpgrader<Frames?>(
                shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
                upgradePipelineHandler: { channel, _ in
                    channel.eventLoop.makeCompletedFuture { try Frames(wrappingChannelSynchronously: channel) }
                })
            let configuration = NIOTypedHTTPServerUpgradeConfiguration(
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.close(promise: nil)
                    return channel.eventLoop.makeSucceededFuture(nil)
                })
            return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
                configuration: .init(upgradeConfiguration: configuration))
        }
    }
    announce(listener.channel)
    try await withThrowingDiscardingTaskGroup { group in
        try await listener.executeThenClose { connections in
            for try await connection in connections {
                group.addTask {
                    guard let frames = try? await connection.get() else { return }
                    try? await frames.executeThenClose { try await echo($0, $1) }
                }
            }
        }
    }
}

private func echo(
    _ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>, _ outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
) async throws {
    for try await frame in inbound {
        switch frame.opcode {
        case .text, .binary:
            try await outbound.write(WebSocketFrame(fin: true, opcode: frame.opcode, data: frame.unmaskedData))
        case .ping: try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
        case .connectionClose:
            try await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData))
            return
        default: break
        }
    }
}

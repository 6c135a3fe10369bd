#if Redis && os(Linux)
import NIOCore
import NIOPosix
import NetCore
import TestSupport

@testable import NetSocketServer

/// A peer on a port of this machine that a connection takes for a broker, until it responds.
final class FakeBroker: Sendable {
    /// The reaction to a command.
    enum Answer: Sendable, ExpressibleByStringLiteral {
        case say(String)
        case sayAndClose(String)
        case nothing

        init(stringLiteral value: String) { self = .say(value) }
    }

    let port: Int
    /// The received commands, without their arguments.
    let commands: Locked<[String]>
    private let channel: any Channel
    private let peers: Locked<[any Channel]>

    /// - Parameter answer: Called with each command except the PING of the handshake, which gets its normal reply.
    static func with(
        answersHandshake: Bool = true, greeting: String = "",
        _ answer: @escaping @Sendable (String) -> Answer = { _ in .nothing }, body: (FakeBroker) async throws -> Void
    ) async throws {
        let commands = Locked<[String]>([])
        let peers = Locked<[any Channel]>([])
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                peers.change { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Responder(commands, answersHandshake: answersHandshake, greeting, answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let broker = FakeBroker(channel, commands, peers)
        do {
            try await body(broker)
        } catch {
            await broker.stop()
            throw error
        }
        await broker.stop()
    }

    private init(_ channel: any Channel, _ commands: Locked<[String]>, _ peers: Locked<[any Channel]>) {
        self.channel = channel
        self.commands = commands
        self.peers = peers
        port = channel.localAddress?.port ?? 0
    }

    var url: String { "redis://127.0.0.1:\(port)" }

    /// Sends an unsolicited text to all connections.
    func say(_ text: String) {
        for peer in peers.value { peer.writeAndFlush(ByteBuffer(string: text), promise: nil) }
    }

    /// True if all connections are closed.
    var isAlone: Bool { peers.value.allSatisfy { !$0.isActive } }

    private func stop() async {
        for peer in peers.value { peer.close(promise: nil) }
        try? await channel.close().get()
    }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let commands: Locked<[String]>
        private var answersHandshake: Bool
        private let greeting: String
        private let answer: @Sendable (String) -> Answer
        private let reader = RedisReader()

        init(
            _ commands: Locked<[String]>, answersHandshake: Bool, _ greeting: String,
            _ answer: @escaping @Sendable (String) -> Answer
        ) {
            self.commands = commands
            self.greeting = greeting
            self.answersHandshake = answersHandshake
            self.answer = answer
        }

        func channelActive(context: ChannelHandlerContext) {
            if !greeting.isEmpty { write(greeting, context) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            unwrapInboundIn(data).withUnsafeReadableBytes { reader.feed($0) }
            while let command = try? reader.next() {
                let name = command.array?.first?.text ?? "?"
                commands.change { $0.append(name) }
                if answersHandshake, name == "PING" {
                    answersHandshake = false
                    write("+PONG\r\n", context)
                    continue
                }
                switch answer(name) {
                case .say(let text): write(text, context)
                case .sayAndClose(let text):
                    write(text, context)
                    context.close(promise: nil)
                case .nothing: break
                }
            }
        }

        private func write(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
#endif

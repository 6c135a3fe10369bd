import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The connections of one event loop, as the receivers of a broadcast.
final class Room {
    /// A connection: the context for its frames, and that for encoded bytes.
    struct Member {
        let frames: ChannelHandlerContext
        let bytes: ChannelHandlerContext
    }

    private let isShared: Bool
    private var members: [ObjectIdentifier: Member] = [:]

    init(isShared: Bool) { self.isShared = isShared }

    func enter(_ member: Member) { members[ObjectIdentifier(member.frames.channel)] = member }

    func leave(_ channel: any Channel) { members[ObjectIdentifier(channel)] = nil }

    /// Sends messages to all connections; each channel flushes immediately.
    func broadcast(_ command: Broadcast) {
        let payload = ByteBuffer(repeating: UInt8(ascii: "x"), count: command.size)
        if isShared {
            let bytes = NIOAny(frame(payload))
            for member in members.values {
                for _ in 0..<command.count { member.bytes.write(bytes, promise: nil) }
                member.bytes.flush()
            }
        } else {
            for member in members.values {
                for _ in 0..<command.count {
                    let frame = WebSocketFrame(fin: true, opcode: .text, data: payload)
                    member.frames.write(NIOAny(frame), promise: nil)
                }
                member.frames.flush()
            }
        }
    }

    private func frame(_ payload: ByteBuffer) -> ByteBuffer {
        var bytes = ByteBuffer()
        let count = payload.readableBytes
        bytes.writeInteger(UInt8(0x81))
        if count < 126 {
            bytes.writeInteger(UInt8(count))
        } else {
            bytes.writeInteger(UInt8(126))
            bytes.writeInteger(UInt16(count))
        }
        bytes.writeImmutableBuffer(payload)
        return bytes
    }
}

/// The request in a text "B SIZE COUNT".
struct Broadcast {
    var size: Int
    var count: Int

    init?(_ text: ByteBuffer) {
        guard text.readableBytesView.starts(with: "B ".utf8) else { return nil }
        let words = String(buffer: text).split(separator: " ")
        guard words.count == 3, let size = Int(words[1]), let count = Int(words[2]) else { return nil }
        self.size = size
        self.count = count
    }
}

/// In front of the codec: bytes written by its context are sent unchanged.
private final class Front: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
}

/// Echoes messages on the event loop.
private final class FrameEcho: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let room: Room
    private let front: Front

    init(room: Room, front: Front) {
        self.room = room
        self.front = front
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard let bytes = front.context else { return context.close(promise: nil) }
        room.enter(Room.Member(frames: context, bytes: bytes))
    }

    func handlerRemoved(context: ChannelHandlerContext) { room.leave(context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary:
            let payload = frame.unmaskedData
            if let command = Broadcast(payload) { return room.broadcast(command) }
            send(frame.opcode, payload, context)
        case .ping: send(.pong, frame.unmaskedData, context)
        case .connectionClose:
            send(.connectionClose, frame.unmaskedData, context)
            context.close(promise: nil)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }
}

/// Configures HTTP, and after the upgrade a handler of frames.
func configureLoop(_ channel: any Channel, room: NIOLoopBound<Room>) -> EventLoopFuture<Void> {
    let upgrader = NIOWebSocketServerUpgrader(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
        upgradePipelineHandler: { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let front = Front()
                try channel.pipeline.syncOperations.addHandler(front, position: .first)
                try channel.pipeline.syncOperations.addHandler(FrameEcho(room: room.value, front: front))
            }
        })
    return channel.pipeline.configureHTTPServerPipeline(
        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
}

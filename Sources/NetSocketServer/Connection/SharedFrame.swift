#if Server
internal import NIOCore
internal import NetCore
internal import NetSocketCore
internal import Synchronization

/// A message for many connections: its frame is encoded once, and all connections write the same memory.
///
/// Its compressed frame is also encoded once for each kind of compression without context takeover.
final class SharedFrame: Sendable {
    private struct Compressed {
        var settings: WebSocketCompression
        var frame: ByteBuffer
    }

    let message: WebSocketMessage
    let plain: ByteBuffer
    private let compressed = Mutex<[Compressed]>([])

    init(_ message: WebSocketMessage) {
        self.message = message
        var buffer = ByteBufferAllocator().buffer(capacity: message.count + FrameBuffer.largestPlainHeader)
        buffer.appendFrame(message)
        plain = buffer
    }

    /// The size of the message, in bytes.
    var count: Int { message.count }

    /// Returns the frame for a connection with certain compression settings, which must not use context takeover for
    /// sending.
    func frame(_ settings: WebSocketCompression, pool: DeflatePool) -> ByteBuffer {
        guard message.count >= settings.minimumBytes else { return plain }
        return compressed.withLock { known in
            if let frame = known.first(where: { $0.settings == settings })?.frame { return frame }
            var frames = FrameBuffer(role: .server, maskKeys: MaskKeys())
            frames.startCompressing(settings, pool: pool)
            frames.append(message)
            let frame = frames.withPending { ByteBuffer(bytes: $0) }
            known.append(Compressed(settings: settings, frame: frame))
            return frame
        }
    }
}

extension ByteBuffer {
    /// Appends a message as one unmasked server frame.
    mutating func appendFrame(_ message: WebSocketMessage) {
        switch message {
        case .text(var text): text.withUTF8 { appendFrame(.text, UnsafeRawBufferPointer($0)) }
        case .binary(let bytes): bytes.withUnsafeBytes { appendFrame(.binary, $0) }
        }
    }

    mutating func appendFrame(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer) {
        let size = payload.count + FrameBuffer.largestPlainHeader
        writeWithUnsafeMutableBytes(minimumWritableBytes: size) { target in
            guard let base = target.baseAddress else { return 0 }
            let head = FrameBuffer.writeHead(base, opcode: opcode, isFinal: true, length: payload.count)
            if let source = payload.baseAddress { (base + head).copyMemory(from: source, byteCount: payload.count) }
            return head + payload.count
        }
    }
}
#endif

#if Server
import NIOCore
import NIOPosix
import NetCore
import NetSocketCore
import TestSupport
#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A client that sends arbitrary bytes, and controls when it reads and how it ends.
final class RawPeer: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var decoder: WebSocketDecoderBox?
        var events: [WebSocketEvent] = []
        var messages = 0
        var pongs = 0
        var isClosed = false

        mutating func take(_ bytes: [UInt8]) -> [WebSocketEvent] {
            guard let decoder else {
                self.bytes += bytes
                return []
            }
            let new = decoder.events(of: bytes)
            for event in new {
                switch event {
                case .message: messages += 1
                case .pong: pongs += 1
                case .ping, .close: break
                }
            }
            return new
        }
    }

    /// A client's handling of received data.
    struct Behavior: Sendable {
        /// True to keep everything that arrives for the test.
        var keepsEvents = true
        /// True to respond to a close frame, and end.
        var answersClose = false
        /// Called with each message, on the loop; the result is sent.
        var reply: (@Sendable (WebSocketMessage) -> [UInt8]?)?
    }

    let channel: any Channel
    private let state: Locked<State>

    private init(_ channel: any Channel, _ state: Locked<State>) {
        (self.channel, self.state) = (channel, state)
    }

    /// Connects to a port on this machine.
    ///
    /// - Parameters:
    ///   - source: The address to connect from; nil for any.
    ///   - buffer: The size of the kernel's receive buffer; nil for the system's choice.
    ///   - resets: True if its end resets the connection.
    static func connect(
        to port: Int, from source: String? = nil, buffer: Int? = nil, resets: Bool = false,
        _ behavior: Behavior = Behavior()
    ) async throws -> RawPeer {
        let state = Locked(State())
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(state, behavior))
                }
            }
        if let source { bootstrap = try bootstrap.bind(to: SocketAddress(ipAddress: source, port: 0)) }
        if let buffer { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(buffer)) }
        let channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
        if resets, let options = channel as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        return RawPeer(channel, state)
    }

    /// Connects and upgrades. Throws if the response isn't 101.
    static func open(
        to port: Int, target: String = "/socket?user=ada", headers: [String] = [], from source: String? = nil,
        buffer: Int? = nil, resets: Bool = false, _ behavior: Behavior = Behavior()
    ) async throws -> RawPeer {
        let peer = try await connect(to: port, from: source, buffer: buffer, resets: resets, behavior)
        try await peer.send(handshake(target, headers))
        await peer.wait { peer.text.contains("\r\n\r\n") || peer.isClosed }
        guard peer.text.hasPrefix("HTTP/1.1 101 ") else {
            peer.end()
            throw Refused(text: peer.text)
        }
        peer.beginFrames()
        return peer
    }

    struct Refused: Error { var text: String }

    static func handshake(_ target: String = "/socket?user=ada", _ headers: [String] = []) -> [UInt8] {
        let lines =
            [
                "GET \(target) HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            ] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    // MARK: Sending

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }

    /// Sends without waiting for the kernel to accept the bytes.
    func push(_ bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    func send(text: String) async throws { try await send(RawFrame.text(text)) }

    // MARK: Reading

    var text: String { String(decoding: state.value.bytes, as: UTF8.self) }
    var isClosed: Bool { state.value.isClosed }
    var events: [WebSocketEvent] { state.value.events }
    /// The received texts.
    var texts: [String] { events.compactMap { if case .message(let message) = $0 { message.text } else { nil } } }
    var lastText: String? {
        guard case .message(let message)? = state.value.events.last else { return nil }
        return message.text
    }
    var messageCount: Int { state.value.messages }
    var pongCount: Int { state.value.pongs }
    var lastPong: [UInt8]? {
        guard case .pong(let payload)? = state.value.events.last else { return nil }
        return Array(payload)
    }
    var pongs: [Bytes] { events.compactMap { if case .pong(let payload) = $0 { payload } else { nil } } }

    /// The code of the received close frame.
    var closeCode: UInt16? {
        for case .close(let code, _) in events { return code.rawValue }
        return nil
    }

    var closeReason: String? {
        for case .close(_, let reason) in events { return reason }
        return nil
    }

    private func beginFrames() {
        state.change { state in
            state.decoder = WebSocketDecoderBox()
            let text = state.bytes
            let end = text.indices.first { text[$0...].starts(with: [13, 10, 13, 10]) } ?? text.endIndex
            state.events += state.take(Array(text[(end + 4)...]))
        }
    }

    /// Stops reading, until it is woken.
    func sleep() async throws { try await channel.setOption(.autoRead, value: false).get() }
    func wake() async throws { try await channel.setOption(.autoRead, value: true).get() }

    /// Waits until a condition holds.
    func wait(until condition: () -> Bool) async { while !condition(), !Task.isCancelled { await Task.yield() } }

    /// Waits for a text that contains another.
    func wait(for text: String) async { await wait { self.texts.contains { $0.contains(text) } || self.isClosed } }

    // MARK: Ending

    /// Closes the TCP connection, without a close frame.
    func end() { channel.close(promise: nil) }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let state: Locked<State>
        private let behavior: Behavior

        init(_ state: Locked<State>, _ behavior: Behavior) { (self.state, self.behavior) = (state, behavior) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(unwrapInboundIn(data).readableBytesView)
            let keeps = behavior.keepsEvents
            var events: [WebSocketEvent] = []
            state.change { state in
                events = state.take(bytes)
                for event in events {
                    if case .message = event, !keeps { continue }
                    state.events.append(event)
                }
            }
            for event in events { react(to: event, context) }
        }

        private func react(to event: WebSocketEvent, _ context: ChannelHandlerContext) {
            switch event {
            case .message(let message):
                guard let answer = behavior.reply?(message) else { return }
                context.writeAndFlush(NIOAny(ByteBuffer(bytes: answer)), promise: nil)
            case .close(let code, _) where behavior.answersClose:
                context.writeAndFlush(NIOAny(ByteBuffer(bytes: RawFrame.close(code.rawValue))), promise: nil)
            case .ping, .pong, .close: break
            }
        }

        func channelInactive(context: ChannelHandlerContext) { state.change { $0.isClosed = true } }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

/// A decoder in a class, used under a lock.
final class WebSocketDecoderBox: @unchecked Sendable {
    private var decoder = MessageDecoder(role: .client, maximumMessageBytes: 64 << 20)

    func events(of bytes: [UInt8]) -> [WebSocketEvent] {
        var events: [WebSocketEvent] = []
        bytes.withUnsafeBytes { bytes in try? decoder.receive(bytes, into: &events) }
        return events
    }
}

/// Frames of a client, with a mask of zeros.
enum RawFrame {
    static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        let head: [UInt8] =
            switch count {
            case ..<126: [first, 0x80 | UInt8(count)]
            case ..<65536: [first, 0x80 | 126, UInt8(count >> 8), UInt8(count & 255)]
            default: [first, 0x80 | 127] + (0..<8).reversed().map { UInt8(count >> ($0 * 8) & 255) }
            }
        return head + [0, 0, 0, 0] + payload
    }

    static func text(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }
    static func ping(_ payload: [UInt8] = []) -> [UInt8] { frame(0x89, payload) }
    static func close(_ code: UInt16 = 1000) -> [UInt8] { frame(0x88, [UInt8(code >> 8), UInt8(code & 255)]) }

    /// A text in frames of one byte each.
    static func fragments(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return bytes.enumerated().flatMap { index, byte in
            frame((index == 0 ? 0x01 : 0x00) | (index == bytes.count - 1 ? 0x80 : 0), [byte])
        }
    }

    /// A compressed message.
    static func compressed(_ text: String) -> [UInt8] {
        var frames = FrameBuffer(role: .client, maskKeys: MaskKeys())
        frames.startCompressing(WebSocketCompression.withoutContext, pool: DeflatePool())
        frames.append(.text(text))
        return frames.withPending { Array($0) }
    }

    static func say(_ text: String, id: Int = 1, channel: String? = nil) -> String {
        let topic = channel.map { ",\"channel\":\"\($0)\"" } ?? ""
        return "{\"event\":\"say\",\"requestId\":\"\(id)\"\(topic),\"payload\":{\"text\":\"\(text)\"}}"
    }

    static func join(_ topic: String, id: Int = 1) -> String {
        "{\"event\":\"channel.join\",\"requestId\":\"j\(id)\",\"channel\":\"\(topic)\",\"payload\":{\"topic\":\"\(topic)\"}}"
    }
}
#endif

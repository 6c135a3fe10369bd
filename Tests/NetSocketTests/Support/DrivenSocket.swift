#if os(Linux)
import Glibc
import NetClient
import NetCore
import NetSocketCore
import Synchronization

@testable import NetCurl
@testable import NetSocket

/// A connection whose loop doesn't run: the test simulates the loop, in any order, and sees each byte.
final class DrivenSocket {
    let driver: SocketDriver
    let stream: ByteStream
    let clock: NetClock
    private let core: LoopCore
    private let peer: CInt
    private var bytes: [UInt8] = []
    private var isPeerOpen = true

    init(
        _ request: WebSocketRequest = WebSocketRequest(url: "ws://a.test/"), inbox: Int = 1 << 20,
        sendBuffer: Int = 1 << 20, on clock: NetClock = .system, listeners: [any ActivityListener] = []
    ) async throws {
        self.clock = clock
        let client = WebSocketClient(configuration: .init(listeners: listeners, clock: clock))
        let prepared = try client.core.prepareCall(HandshakeRequest(request))
        let context = client.core.begin(prepared, delivery: .streamed).context
        let options = prepared.options.webSocket ?? WebSocketOptions()
        let handshake = ClientHandshake(
            subprotocols: options.offeredSubprotocols, compression: options.compression, host: "a.test", path: "/",
            key: AcceptKey.makeKey(.system))
        driver = SocketDriver(
            options, handshake: handshake, context: context,
            limits: SocketLimits(inboxBytes: inbox, sendBufferBytes: sendBuffer), memory: SocketMemory())
        let loop = try EventLoop(
            configuration: CurlWebSocketTransport.Configuration().engine(), counters: EngineCounters())
        // A stopped loop receives no signals.
        await loop.stop()
        guard let core = LoopCore(loop: loop) else {
            throw NetError(.unknown, phase: .preparing, message: "there are no descriptors")
        }
        var ends: [CInt] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        // The kernel reduces it if necessary.
        var room: CInt = 1 << 20
        setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<CInt>.size))
        stream = ByteStream(
            target: .init(isSecure: false, authority: "a.test", connectTimeout: nil), context: context,
            handler: driver, loop: loop)
        self.core = core
        peer = ends[1]
        core.now = 1_000_000_000_000
        (stream.core, stream.descriptor, stream.isOpen, stream.liveIndex) = (core, ends[0], true, 0)
        core.streams = [stream]
    }

    deinit {
        stream.close()
        hangUp()
        for multi in core.multis { multi.cleanUp() }
    }

    // MARK: The loop

    /// Performs a valid opening handshake; frames may follow the response.
    func open(_ headers: String = "", with frames: [UInt8] = []) {
        driver.streamIsOpen(stream)
        arrives(Handshake.answer(to: sentText(), headers) + frames)
    }

    /// Delivers bytes of the peer to the loop.
    func arrives(_ bytes: [UInt8], isEnding: Bool = false) {
        send(bytes)
        driver.streamIsReadable(stream, isEnding: isEnding)
    }

    func arrives(_ frame: TestFrame) { arrives(frame.bytes) }

    /// Sends bytes without notifying the loop.
    func send(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { Glibc.send(peer, $0.baseAddress, $0.count, 0) } }

    func signal() { driver.streamWasSignalled(stream) }

    /// Advances the time, and fires the deadline that is reached.
    func pass(_ time: Duration) {
        core.now += UInt64(time.inNanoseconds)
        core.sweepStreams()
    }

    /// TCP or TLS isn't established yet.
    func isConnecting() { stream.isOpen = false }

    /// The time until the deadline; nil for none.
    var deadline: Duration? { stream.deadline == .max ? nil : .nanoseconds(Int64(stream.deadline - core.now)) }

    /// The loop's time.
    var now: Duration { .nanoseconds(Int64(core.now)) }

    func fail(_ error: NetError) { core.fail(stream, error) }

    // MARK: The peer

    /// Returns the bytes that this side has written since the last call.
    func sent() -> [UInt8] {
        var (found, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = recv(peer, &buffer, buffer.count, 0)
            guard count > 0 else { return found }
            found += buffer[..<count]
        }
    }

    func sentText() -> String { String(decoding: sent(), as: UTF8.self) }
    func frames() -> [TestFrame] { TestFrame.parse(sent()) }

    /// The peer ends the connection.
    func hangUp() {
        if isPeerOpen { Glibc.close(peer) }
        isPeerOpen = false
    }

    /// The peer accepts no more bytes, but stays connected.
    func deafen() { shutdown(peer, Int32(SHUT_RD)) }

    // MARK: The consumer

    /// Returns the available messages, or the end; nil if there is neither.
    func take() -> Result<[String], NetError>? {
        switch driver.inbox.withLock({ $0.take() }) {
        case .messages(let messages, resumesReading: _): .success(messages.map { $0.text ?? "\($0.count) bytes" })
        case .ended(let error): .failure(error)
        case .wait: nil
        }
    }

    /// The available texts.
    var texts: [String] { if case .success(let texts)? = take() { texts } else { [] } }
    /// The end, if no message precedes it.
    var end: NetError? { if case .failure(let error)? = take() { error } else { nil } }

    /// The result of opening.
    var opening: Result<SocketOpening, NetError>? { driver.life.withLock { $0.takeResult() } }

    /// Sends a message; returns true if the loop must be woken for it.
    @discardableResult
    func say(_ text: String) -> Bool? {
        guard case .taken(let signals) = driver.outbox.withLock({ $0.append(.text(text), .automatic) }) else {
            return nil
        }
        return signals
    }

    /// Begins the closing handshake.
    func close(_ code: WebSocketCloseCode = .normalClosure, _ reason: String = "") {
        let closure = WebSocketClosure(code: code, reason: reason, isByPeer: false)
        if driver.outbox.withLock({ $0.requestClose(closure) }) { signal() }
    }
}
#endif

#if os(Linux)
import Foundation
import Glibc
import TestSupport

/// A TCP peer that follows a script on each connection, valid or not; it has no WebSocket code except for the accept
/// value. The bytes read after the head of the request are kept.
///
/// `@unchecked Sendable`: its constants are set before the thread starts; the rest is behind locks.
final class ScriptedPeer: @unchecked Sendable {
    enum Step: Sendable {
        /// Reads the head of the request.
        case readHead
        /// Accepts the request, with additional headers if given (each with its CRLF).
        case accept(headers: String = "")
        /// Responds with bytes, in pieces of a given size.
        case answer(@Sendable (String) -> [UInt8], pieces: Int)
        /// Sends bytes in one piece.
        case send([UInt8])
        /// Sends bytes in pieces, with a pause after each.
        case pieces([UInt8], of: Int, every: Duration = .zero)
        /// Sends the same bytes repeatedly.
        case repeated([UInt8], count: Int)
        case wait(Duration)
        /// Reads until the given number of bytes has arrived after the head.
        case read(Int)
        /// Reads until the client's close frame has arrived.
        case readClose
        /// Reads until the client ends its side.
        case readToEnd
        /// Ends the connection normally (FIN).
        case close
        /// Resets the connection (RST).
        case reset

        static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
        static func send(_ frame: TestFrame) -> Step { .send(frame.bytes) }
    }

    private let listener: Listener
    private let steps: [Step]
    private let state = Locked(State())

    private struct State {
        var isStopped = false
        var open: Set<Int32> = []
        var heads: [String] = []
        var received: [[UInt8]] = []
        var sent: [Int] = []
    }

    /// Starts to listen. A connection whose script has ended stays open until the client ends it or the peer stops.
    init(steps: [Step] = [], receiveBuffer: Int32? = nil) throws {
        self.steps = steps
        listener = try Listener(receiveBuffer: receiveBuffer)
        Thread.detachNewThread { [self] in acceptAll() }
    }

    /// Returns a peer that first performs a valid handshake.
    static func accepting(_ steps: Step..., receiveBuffer: Int32? = nil) throws -> ScriptedPeer {
        try ScriptedPeer(steps: [.readHead, .accept()] + steps, receiveBuffer: receiveBuffer)
    }

    /// Creates a peer that responds to the head of the request with bytes, in pieces if requested.
    convenience init(answering answer: @escaping @Sendable (String) -> [UInt8], pieces: Int? = nil) throws {
        try self.init(steps: [.readHead, .answer(answer, pieces: pieces ?? .max)])
    }

    var port: Int { listener.port }
    var url: String { "ws://127.0.0.1:\(port)/peer" }
    /// The heads of the requests, one per connection.
    var heads: [String] { state.value.heads }
    /// The bytes after the head on each connection, in the order of the connections.
    var received: [[UInt8]] { state.value.received }
    /// The number of bytes that the kernel accepted on each connection.
    var sent: [Int] { state.value.sent }
    /// The frames of the first connection.
    var frames: [TestFrame] { TestFrame.parse(received.first ?? []) }
    /// The connections that haven't ended.
    var openConnections: Int { state.value.open.count }

    func stop() {
        state.change { state in
            state.isStopped = true
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        listener.stop()
    }

    private func acceptAll() {
        while true {
            let descriptor = Glibc.accept(listener.descriptor, nil, nil)
            if descriptor < 0 { return }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            var number = 0
            state.change { state in
                number = state.received.count
                state.open.insert(descriptor)
                state.received.append([])
                state.heads.append("")
                state.sent.append(0)
            }
            Thread.detachNewThread { [self, number] in
                let hasEnded = run(Connection(descriptor: descriptor, number: number))
                // The client's end is detected even if the script has ended.
                if !hasEnded { waitForEnd(descriptor) }
                state.change { $0.open.remove(descriptor) }
                Glibc.close(descriptor)
            }
        }
    }

    private struct Connection {
        let descriptor: Int32
        let number: Int
    }

    /// Returns true if the script ended the connection.
    private func run(_ connection: Connection) -> Bool {
        for step in steps {
            guard !state.value.isStopped else { return true }
            switch step {
            case .readHead: guard readHead(connection) else { return true }
            case .accept(let headers): write(Handshake.answer(to: heads[connection.number], headers), connection)
            case .send(let bytes): write(bytes, connection)
            case .answer(let answer, let size): write(answer(heads[connection.number]), connection, pieces: size)
            case .pieces(let bytes, let size, let pause): write(bytes, connection, pieces: size, pause: pause)
            case .repeated(let bytes, let count):
                let batch = max(1, 65_536 / bytes.count)
                let many = [UInt8]((0..<batch).map { _ in bytes }.joined())
                for start in stride(from: 0, to: count, by: batch) {
                    write(start + batch <= count ? many : Array(many[..<((count - start) * bytes.count)]), connection)
                }
            case .wait(let duration): sleep(duration)
            case .read(let count):
                while received[connection.number].count < count { guard readSome(connection) else { return true } }
            case .readClose:
                while !TestFrame.parse(received[connection.number]).contains(where: { $0.opcode == 8 }) {
                    guard readSome(connection) else { return true }
                }
            case .readToEnd: while readSome(connection) {}
            case .close: return true
            case .reset:
                var option = linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    connection.descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
                return true
            }
        }
        return false
    }

    private func readHead(_ connection: Connection) -> Bool {
        var bytes: [UInt8] = []
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var byte: UInt8 = 0
            guard recv(connection.descriptor, &byte, 1, 0) == 1 else { return false }
            bytes.append(byte)
        }
        let head = String(decoding: bytes, as: UTF8.self)
        state.change { $0.heads[connection.number] = head }
        return true
    }

    private func readSome(_ connection: Connection) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(connection.descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        state.change { $0.received[connection.number] += buffer[..<count] }
        return true
    }

    private func write(
        _ bytes: [UInt8], _ connection: Connection, pieces size: Int = 65_536, pause: Duration = .zero
    ) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection.descriptor, $0.baseAddress, min($0.count, size), Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
            state.change { $0.sent[connection.number] += count }
            if pause > .zero { sleep(pause) }
        }
    }

    private func waitForEnd(_ descriptor: Int32) {
        // POLLRDHUP, which the importer omits: detects the end without reading the bytes before it.
        var poller = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        while poll(&poller, 1, -1) < 0 && errno == EINTR {}
    }

    private func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        usleep(UInt32(seconds) * 1_000_000 + UInt32(attoseconds / 1_000_000_000_000))
    }
}
#endif

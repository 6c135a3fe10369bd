#if os(Linux)
import Foundation
import Glibc
import NetHTTP
import TestSupport

/// A peer that runs a test's script on each connection, byte by byte: for behavior that no server shows.
///
/// `@unchecked Sendable`: its constants are set before the thread starts.
final class ScriptedPeer: @unchecked Sendable {
    /// One connection, for blocking calls on its own thread.
    struct Connection {
        fileprivate let descriptor: Int32

        /// Sends text.
        func send(_ text: String) {
            send(Array(text.utf8))
        }

        /// Returns false if the peer has closed the connection.
        @discardableResult func send(_ bytes: [UInt8]) -> Bool {
            Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0
        }

        /// Reads up to and including the empty line; nil if the connection ends before it.
        func readHead() -> String? {
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                guard let byte = read(1).first else { return nil }
                head.append(byte)
            }
            return String(decoding: head, as: UTF8.self)
        }

        /// Reads `count` bytes, or fewer if the connection ends.
        func read(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                var buffer = [UInt8](repeating: 0, count: min(count - bytes.count, 65_536))
                let got = recv(descriptor, &buffer, buffer.count, 0)
                guard got > 0 else { break }
                bytes += buffer.prefix(got)
            }
            return bytes
        }

        /// Resets the connection immediately and drops all data in transit; nothing may be sent or read afterward.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            // Closes the socket but keeps its number, which is released when the connection is closed.
            let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            dup2(other, descriptor)
            close(other)
        }

        /// Waits until the client has closed, and discards everything it sends.
        func waitForClose() {
            while !read(65_536).isEmpty {}
        }
    }

    let port: Int
    private let listener: Int32

    /// Listens on loopback. `serve` is called with each connection and its number, starting at 0, on a separate thread;
    /// the connection is closed when it returns.
    init(_ serve: @escaping @Sendable (Connection, Int) -> Void) throws {
        let listening = try Listener()
        (listener, port) = (listening.descriptor, listening.port)
        let listener = listener
        Thread.detachNewThread {
            var number = 0
            while true {
                let descriptor = accept(listener, nil, nil)
                // Closed only here: elsewhere, the number could already belong to another peer by the next `accept`.
                guard descriptor >= 0 else { break }
                let index = number
                number += 1
                Thread.detachNewThread {
                    serve(Connection(descriptor: descriptor), index)
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    var baseURL: BaseURL { BaseURL(unchecked: "http://127.0.0.1:\(port)") }

    /// Rejects connections from now on.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }
}
#endif

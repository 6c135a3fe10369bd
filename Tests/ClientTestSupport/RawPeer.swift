import Foundation
import NetHTTP
import TestSupport

#if canImport(Glibc)
import Glibc
#endif

/// A peer that responds to each connection with fixed bytes, regardless of the request, and closes it: for responses
/// that no server sends.
///
/// `@unchecked Sendable`: its constants are set before the thread starts.
final class RawPeer: @unchecked Sendable {
    let port: Int
    /// The first bytes read from each connection, one after another.
    let received = Locked("")
    private let listener: Int32

    /// Listens on loopback; every connection receives `answer` in pieces of `pieceSize`, after one read.
    init(answer: [UInt8], pieceSize: Int = .max, closesAtOnce: Bool = true) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, received) = (listener, received)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, length) | listen(listener, 64) | getsockname(listener, raw, &length)
            }
        }
        guard status == 0 else { throw POSIXError(.EADDRINUSE) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                if connection < 0, [EMFILE, ENFILE, EINTR, ECONNABORTED].contains(errno) {
                    // A test that uses up all descriptors releases them again.
                    usleep(1000)
                    continue
                }
                if connection < 0 {
                    // Closed only here: elsewhere, the number could already belong to another peer by the next
                    // `accept`.
                    close(listener)
                    return
                }
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = recv(connection, &buffer, buffer.count, 0)
                received.change { $0 += String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) }
                var rest = answer[...]
                while !rest.isEmpty {
                    let piece = Array(rest.prefix(pieceSize))
                    guard send(connection, piece, piece.count, Int32(MSG_NOSIGNAL)) > 0 else { break }
                    rest = rest.dropFirst(piece.count)
                }
                if !closesAtOnce { _ = recv(connection, &buffer, buffer.count, 0) }
                close(connection)
            }
        }
    }

    convenience init(_ answer: String, pieceSize: Int = .max, closesAtOnce: Bool = true) throws {
        try self.init(answer: Array(answer.utf8), pieceSize: pieceSize, closesAtOnce: closesAtOnce)
    }

    var baseURL: BaseURL { BaseURL(unchecked: "http://127.0.0.1:\(port)") }

    /// Rejects connections from now on.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

#if Server
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A TCP connection to 127.0.0.1 that sends exactly the given bytes.
final class RawSocket: Sendable {
    struct Failure: Error {
        let call: String
        let code: Int32
    }

    private let descriptor: Int32

    /// Connects; `receiveBuffer` is the size of the kernel's buffer, in bytes.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(call: "connect", code: errno) }
    }

    deinit { close(descriptor) }

    /// Sends all bytes. A peer that has closed isn't an error.
    func send(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write($0.baseAddress, $0.count) }
            guard count > 0 else { return }
            sent += count
        }
    }

    func send(_ text: String) { send(text.utf8) }

    private func write(_ base: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.send(descriptor, base, count, Int32(MSG_NOSIGNAL))
        #else
        Darwin.send(descriptor, base, count, 0)
        #endif
    }

    /// Reads at most `limit` bytes; empty at the end of the stream. Throws the error number of a failure.
    func receive(_ limit: Int = 65_536) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        guard count >= 0 else { throw Failure(call: "recv", code: errno) }
        return Array(buffer.prefix(count))
    }

    /// Reads until the text so far satisfies `isEnough`, or the stream ends.
    func receive(until isEnough: (String) -> Bool) throws -> String {
        var bytes: [UInt8] = []
        while true {
            let more = try receive()
            bytes += more
            let text = String(decoding: bytes, as: UTF8.self)
            if more.isEmpty || isEnough(text) { return text }
        }
    }

    /// Reads to the end of the stream.
    func receiveAll() throws -> String { try receive { _ in false } }
}
#endif

#if Redis
import Foundation
import Glibc

/// One command for a broker, on a separate connection, without any code of the library.
enum BrokerLine {
    static func call(_ port: Int, _ words: [String]) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try exchange(port, words) }) }
        }
    }

    /// Returns a free port.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return -1 as Int32 }
            return bind(descriptor, address, length) | getsockname(descriptor, address, &length)
        }
        guard result == 0 else { throw Failure("there is no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func exchange(_ port: Int, _ words: [String]) throws -> [String] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: 3, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = address(port: port)
        let isConnected = withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map { address in
                connect(descriptor, address.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
            }
        }
        guard isConnected == true else { throw Failure("the broker isn't there") }
        // The broker closes the connection after the second command, which marks the end of the reply.
        let request = [words, ["QUIT"]].map { words in
            "*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        }.joined()
        let bytes = Array(request.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure("the broker reads nothing") }
        var reply: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { reply += buffer[..<count] }
        var rest = reply[...]
        return try value(&rest)
    }

    private static func value(_ rest: inout ArraySlice<UInt8>) throws -> [String] {
        guard let kind = rest.popFirst(), let end = rest.firstIndex(of: 13) else { throw Failure("there is no reply") }
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = rest[end...].dropFirst(2)
        switch Character(UnicodeScalar(kind)) {
        case "-": throw Failure(line)
        case "$":
            guard let count = Int(line), count >= 0 else { return [] }
            defer { rest = rest.dropFirst(count + 2) }
            return [String(decoding: rest.prefix(count), as: UTF8.self)]
        case "*": return try (0..<max(0, Int(line) ?? 0)).flatMap { _ in try value(&rest) }
        default: return [line]
        }
    }
}
#endif

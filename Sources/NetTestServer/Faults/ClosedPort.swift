#if Server
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A port of 127.0.0.1 that refuses connections for the lifetime of this object: the port is bound, so that no other
/// process gets it, but nothing listens on it.
///
///     let closed = try ClosedPort()
///     let client = HTTPClient(baseURL: closed.baseURL)
public final class ClosedPort: Sendable {
    private let descriptor: Int32
    /// The port.
    public let port: Int

    /// Binds a free port; throws ``TestServerError``.
    public init() throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isBound else { throw TestServerError("no port can be bound: error \(errno)") }
    }

    deinit { close(descriptor) }

    /// The base URL: scheme, host and port.
    public var baseURL: BaseURL { BaseURL(unchecked: "http://127.0.0.1:\(port)") }
}
#endif

#if os(Linux)
internal import CCurl
internal import Glibc

/// Keeps the kernel from holding much more of a streamed body than its reader asked for.
///
/// Linux grows the receive buffer while bytes flow: to 14 MB on loopback. Where `net.core.rmem_max` allows it the buffer is
/// set once, before the connect, and never grows. Debian's own limit is a fifth of our window, which would cost speed on
/// long links; there the buffer may grow until it holds a window, and is locked as it is then. Growing undoes a bound of
/// the window, so that is set anew on the way. Before Linux 5.14 there is no lock and the steps go on.
struct ReceiveWindow {
    /// The most that a program may ask for; 0 when the system does not tell.
    private static let systemLimit: Int = {
        guard let file = fopen("/proc/sys/net/core/rmem_max", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
        return strtol(line, nil, 10)
    }()

    let bytes: Int
    private let isSetAtOnce: Bool
    /// At how many bytes of the body the window is bounded again.
    private var nextBound: Int64 = 0

    init(bytes: Int) {
        self.init(bytes: bytes, systemLimit: Self.systemLimit)
    }

    init(bytes: Int, systemLimit: Int) {
        self.bytes = bytes
        isSetAtOnce = bytes <= systemLimit
    }

    /// A socket that is not connected yet.
    func prepare(_ descriptor: CInt) {
        if isSetAtOnce { net_socket_set_receive_buffer(descriptor, CInt(clamping: bytes)) }
    }

    /// Bytes arrived on the socket: `received` of the body so far.
    mutating func advance(_ descriptor: CInt, received: Int64) {
        guard !isSetAtOnce, descriptor >= 0, received >= nextBound else { return }
        nextBound = received + Int64(bytes / 4)
        if net_socket_receive_buffer(descriptor) >= bytes, net_socket_lock_receive_buffer(descriptor) == 0 {
            nextBound = .max
        }
        net_socket_clamp_window(descriptor, CInt(clamping: bytes))
    }
}
#endif

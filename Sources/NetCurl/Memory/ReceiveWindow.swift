#if os(Linux)
internal import CCurl
internal import Glibc

/// Limits how much of a streamed body the kernel buffers beyond what its reader has requested.
///
/// Linux grows the receive buffer while bytes arrive: to 14 MB on loopback. If `net.core.rmem_max` allows it, the
/// buffer's size is set once, before connecting, and never grows. Debian's default limit is a fifth of this window,
/// which would reduce the speed on long links; in that case the buffer may grow until it holds a window, and is then
/// locked at its size. Growing removes the limit of the window, so the limit is set again along the way. Before Linux
/// 5.14, the size can't be locked, and the steps continue.
struct ReceiveWindow {
    /// The largest receive buffer that a program may request; 0 if unknown.
    private static let systemLimit: Int = {
        guard let file = fopen("/proc/sys/net/core/rmem_max", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
        return strtol(line, nil, 10)
    }()

    let bytes: Int
    private let isSetAtOnce: Bool
    /// The number of body bytes at which the window is limited again.
    private var nextBound: Int64 = 0

    init(bytes: Int) {
        self.init(bytes: bytes, systemLimit: Self.systemLimit)
    }

    init(bytes: Int, systemLimit: Int) {
        self.bytes = bytes
        isSetAtOnce = bytes <= systemLimit
    }

    /// Prepares a socket that isn't connected yet.
    func prepare(_ descriptor: CInt) {
        if isSetAtOnce { net_socket_set_receive_buffer(descriptor, CInt(clamping: bytes)) }
    }

    /// Adjusts the window after bytes arrived on the socket; `received` is the number of body bytes so far.
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

#if os(Linux)
internal import CNetlink

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A socket to the kernel's routing tables. It belongs to the network namespace of the thread that opens it.
final class NetlinkSocket: Sendable {
    /// A system call that failed.
    struct Failure: Error {
        let doing: String
        let number: CInt
    }

    /// The groups for links, addresses, routes and rules of both families (`RTMGRP_LINK` and similar constants; there
    /// is none for IPv6 rules).
    static let changes: UInt32 = 0x1 | 0x10 | 0x40 | 0x80 | 0x100 | 0x400 | 1 << 18

    let descriptor: CInt

    /// - Parameter groups: The groups whose changes the socket receives. Default none.
    init(groups: UInt32 = 0) throws(Failure) {
        descriptor = socket(AF_NETLINK, CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue), NETLINK_ROUTE)
        guard descriptor >= 0 else { throw Failure(doing: "open a netlink socket", number: errno) }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = groups
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard result == 0 else { throw Failure(doing: "bind a netlink socket", number: errno) }
        // The kernel always replies. If it ever doesn't, the read fails after five seconds.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Discards all waiting changes, and returns whether there were any. A lost change (`ENOBUFS`) counts too.
    func drain(_ buffer: inout [UInt8]) -> Bool {
        var isChanged = false
        while true {
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count >= 0 || errno == ENOBUFS {
                isChanged = true
            } else if errno != EINTR {
                return isChanged
            }
        }
    }

    /// Reads all tables. If they change in the meantime, the kernel marks the dump, and they are read again, at most
    /// three times in total.
    func table(_ buffer: inout [UInt8]) throws(Failure) -> NetworkTable {
        var table = NetworkTable()
        for _ in 0..<3 {
            table = NetworkTable()
            var isWhole = true
            // RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE, RTM_GETRULE.
            for type: UInt16 in [18, 22, 26, 34] { isWhole = try dump(type, into: &table, &buffer) && isWhole }
            if isWhole { break }
        }
        return table
    }

    private func dump(_ type: UInt16, into table: inout NetworkTable, _ buffer: inout [UInt8]) throws(Failure) -> Bool {
        try ask(type)
        var isWhole = true
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw Failure(doing: "read the routing tables", number: count < 0 ? errno : EIO)
            }
            for message in NetlinkMessage.read(Array(buffer[..<count])) where message.sequence == UInt32(type) {
                if message.isInterrupted { isWhole = false }
                switch message.type {
                case NetlinkMessage.Kind.done: return isWhole
                case NetlinkMessage.Kind.error:
                    // A kernel that doesn't support rules or one of the families reports these errors.
                    let number: Int32 = message.payload.integer(at: 0) ?? -EIO
                    if number == -EOPNOTSUPP || number == -EAFNOSUPPORT { return isWhole }
                    throw Failure(doing: "read the routing tables", number: -number)
                default: table.add(message)
                }
            }
        }
    }

    /// Requests a dump. The type is also the sequence number of the request.
    private func ask(_ type: UInt16) throws(Failure) {
        // nlmsghdr with NLM_F_REQUEST and NLM_F_DUMP, then a fixed part of zeros, which means all families.
        var header = nlmsghdr()
        header.nlmsg_len = 32
        header.nlmsg_type = type
        header.nlmsg_flags = 0x301
        header.nlmsg_seq = UInt32(type)
        var bytes = withUnsafeBytes(of: header) { Array($0) }
        bytes += repeatElement(0, count: 16)
        guard send(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw Failure(doing: "request the routing tables", number: errno)
        }
    }
}
#endif

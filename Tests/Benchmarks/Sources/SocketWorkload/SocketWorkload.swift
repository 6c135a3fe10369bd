/// What a client does on one connection, the same for every client.
public struct SocketWorkload: Sendable {
    /// Where the messages go.
    public enum Direction: Sendable {
        /// To the server and back, one in flight.
        case echo
        /// To the server, which counts them.
        case out
        /// From the server.
        case `in`
        /// Nowhere: connections that are open and quiet, after a hundred messages each way.
        case idle
        /// Nowhere: connections that are opened and ended, one after the other.
        case connect
    }

    public let name: String
    public let direction: Direction
    /// The size of a message in bytes.
    public let size: Int
    /// The number of other connections that are open meanwhile.
    public var others = 0
    /// True if the connections use TLS, which nginx ends before the server.
    public var isSecure: Bool { name.hasPrefix("wss-") }
    /// The messages each way, before a connection is idle.
    public static let exchange = 100

    /// The server's path.
    public var path: String {
        switch direction {
        case .echo: "/echo"
        case .out: "/sink"
        case .in: "/source"
        case .idle: "/echo"
        case .connect: "/idle"
        }
    }

    /// How many messages a client with a call for several gives to one.
    public var batch: Int { size < 1 << 16 ? 128 : 1 }

    /// What a message holds.
    public var payload: [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    /// The text that makes the server send.
    public func command(_ count: Int) -> String { "\(size) \(count)" }

    /// The server's answer to any text on its way out: what it has counted.
    public func report(_ count: Int) -> String { "\(count) \(count * size)" }

    public static let all = [
        SocketWorkload(name: "ws-echo-64", direction: .echo, size: 64),
        SocketWorkload(name: "ws-out-64", direction: .out, size: 64),
        SocketWorkload(name: "ws-in-64", direction: .in, size: 64),
        SocketWorkload(name: "ws-out-1m", direction: .out, size: 1 << 20),
        SocketWorkload(name: "ws-in-1m", direction: .in, size: 1 << 20),
        SocketWorkload(name: "ws-idle", direction: .idle, size: 64),
        SocketWorkload(name: "wss-idle", direction: .idle, size: 64),
        SocketWorkload(name: "ws-among-64", direction: .echo, size: 64, others: 63),
        SocketWorkload(name: "ws-among-4k", direction: .echo, size: 64, others: 3999),
        SocketWorkload(name: "wss-among-64", direction: .echo, size: 64, others: 63),
        SocketWorkload(name: "wss-among-4k", direction: .echo, size: 64, others: 3999),
        SocketWorkload(name: "ws-connect", direction: .connect, size: 0),
    ]
}

/// The server has counted something else than what was sent, or the client something else than what was asked for.
public struct LostMessages: Error, CustomStringConvertible {
    public let description: String

    public init(_ workload: SocketWorkload, expected: String, found: String) {
        description = "\(workload.name): messages were lost or changed: expected \(expected), found \(found)"
    }
}

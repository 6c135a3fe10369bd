/// The operations of a client on one connection, the same for every client.
public struct SocketWorkload: Sendable {
    /// The direction of the messages.
    public enum Direction: Sendable {
        /// To the server and back, one in flight.
        case echo
        /// To the server, which counts them.
        case out
        /// From the server.
        case `in`
        /// None: connections that are open and idle, after a hundred messages in each direction.
        case idle
        /// None: connections that are opened and ended, one after another.
        case connect
    }

    public let name: String
    public let direction: Direction
    /// The size of a message in bytes.
    public let size: Int
    /// The number of other open connections.
    public var others = 0
    /// True if the connections use TLS, which nginx terminates in front of the server.
    public var isSecure: Bool { name.hasPrefix("wss-") }
    /// The number of messages in each direction before a connection is idle.
    public static let exchange = 100

    /// The path on the server.
    public var path: String {
        switch direction {
        case .echo: "/echo"
        case .out: "/sink"
        case .in: "/source"
        case .idle: "/echo"
        case .connect: "/idle"
        }
    }

    /// The number of messages per call, for a client that can send several at a time.
    public var batch: Int { size < 1 << 16 ? 128 : 1 }

    /// The contents of a message.
    public var payload: [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    /// The text that makes the server send messages.
    public func command(_ count: Int) -> String { "\(size) \(count)" }

    /// The server's reply to any text in the `out` direction: its counts.
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

/// The error if the server counted a different number of messages than were sent, or the client a different number than
/// requested.
public struct LostMessages: Error, CustomStringConvertible {
    public let description: String

    public init(_ workload: SocketWorkload, expected: String, found: String) {
        description = "\(workload.name): messages were lost or changed: expected \(expected), found \(found)"
    }
}

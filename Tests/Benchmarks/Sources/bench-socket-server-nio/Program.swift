import Dispatch
import Glibc
import NIOCore
import NIOPosix

/// bench-socket-server-nio MODE: SwiftNIO's WebSockets on one event loop, with the features that
/// `bench-socket-server-load` needs.
///
/// Every mode echoes messages; a text "B SIZE COUNT" sends COUNT messages of SIZE bytes to every connection. Prints its
/// port, and ends when its standard input does.
@main
enum Program {
    enum Mode: String, CaseIterable {
        /// Echoes uninterpreted bytes: less work than in any WebSocket server.
        case raw
        /// A handler of frames on the event loop; a broadcast encodes one frame per channel.
        case loop
        /// The same, but a broadcast encodes its frame once, into a buffer that all channels write in front of the
        /// codec.
        case shared
        /// `NIOAsyncChannel`: a task for each connection.
        case channel
    }

    static func main() async throws {
        guard CommandLine.arguments.count == 2, let mode = Mode(rawValue: CommandLine.arguments[1]) else {
            print("arguments: \(Mode.allCases.map(\.rawValue).joined(separator: " | "))")
            exit(2)
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        if mode == .channel { return try await serveTasks(bootstrap) }
        let loop = group.any()
        let room = try await loop.submit { NIOLoopBound(Room(isShared: mode == .shared), eventLoop: loop) }.get()
        let listener = try await bootstrap.childChannelInitializer { channel in
            if mode == .raw {
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RawEcho())
                }
            } else {
                configureLoop(channel, room: room)
            }
        }.bind(host: "127.0.0.1", port: 0).get()
        announce(listener)
        try await listener.closeFuture.get()
    }
}

/// Prints the port, and ends the process when standard input has ended; waiting doesn't block a thread of the pool.
func announce(_ listener: any Channel) {
    print(listener.localAddress?.port ?? 0)
    fflush(nil)
    DispatchQueue(label: "input").async {
        while readLine() != nil {}
        exit(0)
    }
}

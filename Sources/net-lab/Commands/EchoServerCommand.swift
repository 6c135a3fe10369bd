#if Tools && Server
internal import ArgumentParser
internal import Foundation
internal import NetSocketServer

/// `net-lab echo-server`: a WebSocket server that sends every message back, until it is interrupted.
struct EchoServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "echo-server",
        abstract: "Serve a WebSocket at every path that sends each message back.",
        discussion: "It binds 127.0.0.1 and compresses messages for clients that ask for it (RFC 7692).")

    @Option(help: "The port; 0 picks a free one.")
    var port = 9001

    @Option(help: "The largest message, in bytes.")
    var maximumMessageBytes = 64 << 20

    @Flag(inversion: .prefixedNo, help: "Whether messages are compressed.")
    var compression = true

    func run() async throws {
        var router = SocketRouter<Void>()
        router.onMessageImmediately { message, connection in connection.post(message) }
        var configuration = SocketServerConfiguration()
        configuration.port = port
        configuration.wires = ["*": .raw]
        configuration.limits = .unlimited
        configuration.limits.messageBytes = maximumMessageBytes
        configuration.maximumOutboxBytes = 2 * maximumMessageBytes
        if compression { configuration.compression = WebSocketCompression(minimumBytes: 0) }
        let server = SocketServer(router: router, configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            print("listening on 127.0.0.1:\(try await server.address.port)")
            fflush(nil)
            // Runs until a signal ends the process.
            try await group.waitForAll()
        }
    }
}
#endif

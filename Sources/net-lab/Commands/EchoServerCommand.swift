#if Tools && Server
internal import ArgumentParser
internal import Foundation
internal import NetTestServer

/// `net-lab echo-server`: a WebSocket server that sends every message back, until it is interrupted.
struct EchoServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "echo-server",
        abstract: "Serve a WebSocket at every path that sends each message back.",
        discussion: "It binds 127.0.0.1 and compresses messages for clients that ask for it (RFC 7692).")

    @Option(help: "The port; 0 takes a free one.")
    var port = 9001

    @Option(help: "The largest message, in bytes.")
    var maximumMessageBytes = 64 << 20

    @Flag(inversion: .prefixedNo, help: "Whether messages are compressed.")
    var compression = true

    func run() async throws {
        var echo = WebSocketStub("*", .echo)
        echo.maximumMessageBytes = maximumMessageBytes
        if compression { echo.compression = WebSocketCompression(minimumBytes: 0) }
        var configuration = TestServer.Configuration()
        configuration.port = port
        let server = try await TestServer.start(webSockets: [echo], configuration: configuration)
        print("listening on 127.0.0.1:\(server.port)")
        fflush(nil)
        // Until a signal ends the process.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}
#endif

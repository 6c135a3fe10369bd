import Dispatch
import Glibc
import NetSocketServer

/// bench-socket-server-ours MODE: this library's server on one event loop, with the features that
/// `bench-socket-server-load` needs.
///
/// `/raw` echoes messages; `/json` responds to commands, and has the channel `room` and the command `trigger`, which
/// pushes to it. Prints its port, and ends when its standard input does. `coding` isn't a server: it encodes and
/// decodes the types of the command, and prints a line of JSON.
@main
enum Program {
    enum Mode: String, CaseIterable {
        /// Closures on the event loop.
        case loop
        /// Async handlers on the event loop.
        case executor
        /// Async handlers on the pool that all tasks share.
        case pool
        case coding
    }

    static func main() async throws {
        guard CommandLine.arguments.count == 2, let mode = Mode(rawValue: CommandLine.arguments[1]) else {
            print("arguments: \(Mode.allCases.map(\.rawValue).joined(separator: " | "))")
            exit(2)
        }
        if mode == .coding { return try measureCoding() }
        var configuration = SocketServerConfiguration()
        configuration.loopCount = 1
        configuration.backlog = 4096
        configuration.limits.connections = 20_000
        configuration.wires = ["/raw": .raw, "/json": .json]
        let server = SocketServer(router: router(mode), configuration: configuration)
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            print(try await server.address.port)
            fflush(nil)
            // Waiting doesn't block a thread of the pool.
            DispatchQueue(label: "input").async {
                while readLine() != nil {}
                exit(0)
            }
            try await group.next()
        }
    }
}

/// A command with two small fields.
struct Say: SocketCommand {
    static let event = "chat.send"
    struct Response: Codable, Sendable {
        var id: Int
        var text: String
    }
    var id: Int
    var text: String
}

/// The size in bytes, including the envelope, and the number of messages to all connections of the channel.
struct Trigger: Decodable {
    var size: Int
    var batch: Int
}

private func router(_ mode: Program.Mode) -> SocketRouter<Void> {
    let executor: SocketExecutor = mode == .pool ? .pool : .loop
    var router = SocketRouter<Void>()
    if mode == .loop {
        router.onMessageImmediately { message, connection in connection.post(message) }
        router.onImmediately(Say.self) { say, _ in Say.Response(id: say.id, text: say.text) }
    } else {
        router.onMessage(executor: executor) { message, context in context.connection.post(message) }
        router.on(Say.self, executor: executor) { say, _ in Say.Response(id: say.id, text: say.text) }
    }
    router.channel("room")
    router.on("trigger", executor: executor) { payload, context in
        guard let trigger = try payload?.decoded(as: Trigger.self) else { return nil }
        let text = String(repeating: "x", count: max(0, trigger.size - (try envelope())))
        let push = SocketPayload(json: #"{"text":"\#(text)"}"#)
        for _ in 0..<trigger.batch { try await context.server.channel("room").push("tick", push) }
        return nil
    }
    return router
}

/// Returns the size of a push without a text.
private func envelope() throws -> Int {
    var machine = SocketWire.json.makeMachine(.server)
    let push = WirePush(event: "tick", payload: SocketPayload(json: #"{"text":""}"#), topic: "room")
    return try machine.encode(.push(push)).reduce(0) { $0 + $1.count }
}

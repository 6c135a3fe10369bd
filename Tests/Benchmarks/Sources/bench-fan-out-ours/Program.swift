import Dispatch
import Glibc
import NetSocketServer

/// bench-fan-out-ours ENGINE SERVERS: SERVERS servers of this library in one process, each on its own event loop.
///
/// ENGINE is `memory`, for servers that share a memory, or the URL of a broker, to which each has its own engine.
/// Prints the ports on one line, and ends when its standard input does. Each server has the channels `room` and
/// `room:*` with a history of 100, the channel `lounge` that shows its members, and the command `trigger`, which pushes
/// to `room`.
@main
enum Program {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
            print("arguments: memory | redis://HOST:PORT, and the number of servers")
            exit(2)
        }
        let servers = try engines(arguments[1], count).map { engine in
            SocketServer(router: router(), configuration: configuration(engine))
        }
        try await withThrowingTaskGroup { group in
            for server in servers { group.addTask { try await server.run() } }
            var ports: [String] = []
            for server in servers { ports.append(String(try await server.address.port)) }
            print(ports.joined(separator: " "))
            fflush(nil)
            // Waiting doesn't block a thread of the pool.
            DispatchQueue(label: "input").async {
                while readLine() != nil {}
                exit(0)
            }
            try await group.next()
        }
    }

    private static func engines(_ name: String, _ count: Int) throws -> [any FanOutEngine] {
        guard name == "memory" else { return try (0..<count).map { _ in try RedisFanOut(name) } }
        let first = MemoryFanOut()
        return [first] + (1..<count).map { _ in MemoryFanOut(sharing: first) }
    }

    private static func configuration(_ engine: any FanOutEngine) -> SocketServerConfiguration {
        var configuration = SocketServerConfiguration()
        configuration.fanOut = engine
        configuration.loopCount = 1
        configuration.limits = .unlimited
        configuration.wires = ["/json": .json]
        return configuration
    }
}

/// The number of pushes and the number of bytes in their payloads.
struct Trigger: Decodable {
    var size: Int
    var batch: Int
}

/// The name under which a connection appears in the lounge.
struct Guest: Decodable {
    var name: String
}

private func router() -> SocketRouter<Void> {
    var router = SocketRouter<Void>()
    router.channel("room") { _ in ChannelRules(history: 100) }
    router.channel("room:*") { _ in ChannelRules(history: 100) }
    router.channel("lounge") { join in ChannelRules(presence: try join.payload?.decoded(as: Guest.self).name) }
    router.on("say", executor: .loop) { payload, _ in payload }
    router.on("trigger", executor: .loop) { payload, context in
        guard let trigger = try payload?.decoded(as: Trigger.self) else { return nil }
        let empty = #"{"text":""}"#
        let text = String(repeating: "x", count: max(0, trigger.size - empty.utf8.count))
        let push = SocketPayload(json: #"{"text":"\#(text)"}"#)
        for _ in 0..<trigger.batch { try await context.server.channel("room").push("tick", push) }
        return nil
    }
    return router
}

import NIOCore
import NIOWebSocket
import SocketWorkload

/// bench-socket-nio PORT WORKLOAD COUNT [channel | handlers]: the same work with SwiftNIO.
///
/// `channel` is `NIOAsyncChannel`, for tasks of Swift concurrency; `handlers` does everything in a handler on the event
/// loop, the least that SwiftNIO costs.
@main
struct Program {
    static func main() async {
        let run = SocketRun(modes: ["channel", "handlers"])
        await SocketRun.end {
            if run.mode == "channel" { try await runChannel(run) } else { try await runHandlers(run) }
        }
    }

    private static func runChannel(_ run: SocketRun) async throws {
        @Sendable func connect() async throws -> AsyncClient.Channel {
            try await openWebSocket(port: run.port, path: run.workload.path) { channel in
                try AsyncClient.Channel(wrappingChannelSynchronously: channel)
            }
        }
        // A channel can be read only within a scope, so its idle connections exchange no messages.
        guard run.workload.direction != .idle else { return try await run.measureIdle(connect) { _ in } }
        guard run.workload.direction != .connect else {
            return try await run.measureConnects(connect) { try await $0.executeThenClose { _, _ in } }
        }
        try await connect().executeThenClose { inbound, outbound in
            var client = AsyncClient(workload: run.workload, inbound: inbound.makeAsyncIterator(), outbound: outbound)
            try await client.run(run.warmUpCount)
            let start = ProcessUsage.now
            try await client.run(run.count)
            run.report(since: start)
        }
    }

    private static func runHandlers(_ run: SocketRun) async throws {
        @Sendable func connect() async throws -> NIOLoopBound<LoopClient> {
            try await openWebSocket(port: run.port, path: run.workload.path) { channel in
                let client = LoopClient(workload: run.workload)
                try channel.pipeline.syncOperations.addHandler(client)
                return NIOLoopBound(client, eventLoop: channel.eventLoop)
            }
        }
        guard run.workload.direction != .idle else {
            return try await run.measureIdle(connect) { client in
                try await client.eventLoop.flatSubmit { client.value.run(SocketWorkload.exchange) }.get()
            }
        }
        guard run.workload.direction != .connect else {
            return try await run.measureConnects(connect) { client in
                try await client.eventLoop.flatSubmit { client.value.close() }.get()
            }
        }
        let client = try await connect()
        try await client.eventLoop.flatSubmit { client.value.run(run.warmUpCount) }.get()
        let start = ProcessUsage.now
        try await client.eventLoop.flatSubmit { client.value.run(run.count) }.get()
        run.report(since: start)
    }
}

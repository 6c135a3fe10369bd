internal import NetSocket
internal import SocketWorkload

/// bench-socket-ours PORT WORKLOAD COUNT [tasks | executor]: the work with this library's public API.
///
/// `tasks` runs on the default executor, `executor` on the loop of the transport, without a thread switch.
@main
struct Program {
    static func main() async {
        let run = SocketRun(modes: ["tasks", "executor"])
        var configuration = CurlWebSocketTransport.Configuration()
        configuration.proxy = .none
        configuration.tls.trust = .dangerouslyAcceptAnyCertificate
        let transport = CurlWebSocketTransport(configuration: configuration)
        await SocketRun.end {
            guard run.mode == "executor" else { return try await work(run, transport) }
            guard let executor = transport.executor else { throw NoExecutor() }
            try await withTaskExecutorPreference(executor) { try await work(run, transport) }
        }
    }

    private static func work(_ run: SocketRun, _ transport: CurlWebSocketTransport) async throws {
        let client = WebSocketClient(transport: transport)
        // A message of 1 MiB just fits the default limit; the other clients allow larger ones as well.
        let request = WebSocketRequest(
            url: "\(run.workload.isSecure ? "wss" : "ws")://127.0.0.1:\(run.port)\(run.workload.path)",
            maximumMessageBytes: 1 << 24)
        guard run.workload.direction != .idle else {
            return try await run.measureIdle(
                { try await client.connect(request) },
                exchange: { try await SocketLoad(workload: run.workload, connection: $0).exchange() })
        }
        guard run.workload.direction != .connect else {
            // Releasing a connection ends it.
            return try await run.measureConnects({ try await client.connect(request) }, end: { _ in })
        }
        var others: [WebSocketConnection] = []
        for _ in 0..<run.workload.others { others.append(try await client.connect(request)) }
        defer { withExtendedLifetime(others) {} }
        let load = SocketLoad(workload: run.workload, connection: try await client.connect(request))
        try await load.run(run.warmUpCount)
        let start = ProcessUsage.now
        try await load.run(run.count)
        run.report(since: start)
    }
}

/// The transport has no executor.
struct NoExecutor: Error {}

internal import Glibc

/// One run of a program, `PORT WORKLOAD COUNT [MODE]`, and the line of JSON that it prints.
public struct SocketRun: Sendable {
    public let port: Int
    public let workload: SocketWorkload
    /// Messages; connections where these are idle.
    public let count: Int
    /// Which of the program's clients runs.
    public let mode: String

    /// Open before memory is first read, so that what is made only once is not counted.
    static let firstConnections = 8

    /// Reads the command line; ends the program when it is wrong.
    public init(modes: [String]) {
        let words = CommandLine.arguments.dropFirst()
        let parts = Array(words)
        guard parts.count == 3 || parts.count == 4, let port = Int(parts[0]), let count = Int(parts[2]), count > 0,
            let workload = SocketWorkload.all.first(where: { $0.name == parts[1] }),
            let mode = parts.count == 3 ? modes.first : modes.first(where: { $0 == parts[3] })
        else {
            Self.complain("arguments: PORT WORKLOAD COUNT [\(modes.joined(separator: " | "))]")
            exit(2)
        }
        self.port = port
        self.workload = workload
        self.count = count
        self.mode = mode
    }

    /// Messages ahead of those that are measured.
    public var warmUpCount: Int { count / 20 + 1 }

    /// Prints what the messages took.
    public func report(since start: ProcessUsage) {
        let end = ProcessUsage.now
        print(
            """
            {"workload":"\(workload.name)","messages":\(count),"seconds":\(end.seconds - start.seconds),\
            "cpuSeconds":\(end.cpuSeconds - start.cpuSeconds)}
            """)
    }

    /// Opens the connections one after the other, has each exchange messages, keeps them, and prints how much memory came
    /// with them.
    public func measureIdle<Connection>(
        _ connect: () async throws -> Connection, exchange: (Connection) async throws -> Void
    ) async throws {
        var connections: [Connection] = []
        for _ in 0..<Self.firstConnections { connections.append(try await connect()) }
        for connection in connections { try await exchange(connection) }
        let before = ProcessUsage.anonymousBytes
        for _ in 0..<count { connections.append(try await connect()) }
        for connection in connections.dropFirst(Self.firstConnections) { try await exchange(connection) }
        // What a connection frees after its handshake is freed by then.
        try await Task.sleep(for: .milliseconds(200))
        let bytes = ProcessUsage.anonymousBytes - before
        withExtendedLifetime(connections) {
            print("{\"workload\":\"\(workload.name)\",\"messages\":\(count),\"bytes\":\(bytes)}")
        }
    }

    /// Opens connections and ends them, one after the other, and prints what that took.
    public func measureConnects<Connection>(
        _ connect: () async throws -> Connection, end: (Connection) async throws -> Void
    ) async throws {
        for _ in 0..<warmUpCount { try await end(try await connect()) }
        let start = ProcessUsage.now
        for _ in 0..<count { try await end(try await connect()) }
        report(since: start)
    }

    /// Runs the program's body and ends the process, with 1 and a line on standard error where it throws.
    ///
    /// Away from the main thread, which no server or app would lend to its connections. The process ends without
    /// closing what is still open.
    @concurrent
    public static func end(after body: @Sendable () async throws -> Void) async -> Never {
        do {
            try await body()
        } catch {
            complain("\(error)")
            exit(1)
        }
        exit(0)
    }

    private static func complain(_ text: String) {
        let line = "\(CommandLine.arguments[0]): \(text)\n"
        write(STDERR_FILENO, line, line.utf8.count)
    }
}

internal import Glibc

/// One run of a program, `PORT WORKLOAD COUNT [MODE]`, and the line of JSON that it prints.
public struct SocketRun: Sendable {
    public let port: Int
    public let workload: SocketWorkload
    /// The number of messages, or of connections for the idle workload.
    public let count: Int
    /// The client of the program that runs.
    public let mode: String

    /// The number of connections that are open before memory is first measured, so that one-time allocations don't
    /// count.
    static let firstConnections = 8

    /// Parses the command line; ends the program if it is invalid.
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

    /// The number of messages before the measured ones.
    public var warmUpCount: Int { count / 20 + 1 }

    /// Prints the resources used by the messages.
    public func report(since start: ProcessUsage) {
        let end = ProcessUsage.now
        print(
            """
            {"workload":"\(workload.name)","messages":\(count),"seconds":\(end.seconds - start.seconds),\
            "cpuSeconds":\(end.cpuSeconds - start.cpuSeconds)}
            """)
    }

    /// Opens the connections one after another, exchanges messages on each, keeps them, and prints their memory use.
    public func measureIdle<Connection>(
        _ connect: () async throws -> Connection, exchange: (Connection) async throws -> Void
    ) async throws {
        var connections: [Connection] = []
        for _ in 0..<Self.firstConnections { connections.append(try await connect()) }
        for connection in connections { try await exchange(connection) }
        let before = ProcessUsage.anonymousBytes
        for _ in 0..<count { connections.append(try await connect()) }
        for connection in connections.dropFirst(Self.firstConnections) { try await exchange(connection) }
        // By then, a connection has released the memory that only its handshake needs.
        try await Task.sleep(for: .milliseconds(200))
        let bytes = ProcessUsage.anonymousBytes - before
        withExtendedLifetime(connections) {
            print("{\"workload\":\"\(workload.name)\",\"messages\":\(count),\"bytes\":\(bytes)}")
        }
    }

    /// Opens and ends connections one after another, and prints the resources used.
    public func measureConnects<Connection>(
        _ connect: () async throws -> Connection, end: (Connection) async throws -> Void
    ) async throws {
        for _ in 0..<warmUpCount { try await end(try await connect()) }
        let start = ProcessUsage.now
        for _ in 0..<count { try await end(try await connect()) }
        report(since: start)
    }

    /// Runs the program's body and ends the process; if the body throws, with status 1 and a line on standard error.
    ///
    /// Doesn't use the main thread, which no server or app would use for its connections. The process ends without
    /// closing open connections.
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

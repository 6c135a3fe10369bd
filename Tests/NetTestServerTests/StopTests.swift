#if Server
import Foundation
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

/// Descriptors and threads belong to the process, so they are counted in a separate one.
@Suite(.timeLimit(.minutes(1)))
struct StopTests {
    #if os(Linux)
    @Test func stoppingLeavesNoDescriptorAndNoThread() async throws {
        await #expect(processExitsWith: .success) {
            // The runtime's own descriptors, and the loops that all servers share, exist after the first round.
            try await StopTests.round()
            let before = StopTests.census()
            for _ in 0..<5 { try await StopTests.round() }
            let after = StopTests.census()
            guard after.descriptors <= before.descriptors, after.loops == before.loops else {
                throw TestServerError("before: \(before), after: \(after)")
            }
        }
    }

    @Test func fiveHundredServersLeaveNothingBehind() async throws {
        await #expect(processExitsWith: .success) {
            try await StopTests.manyServers(count: 60)
            let before = StopTests.census()
            try await StopTests.manyServers(count: 500)
            let after = StopTests.census()
            guard after.descriptors <= before.descriptors, after.loops == before.loops,
                after.threads <= before.threads + 4, after.kilobytes < before.kilobytes + 16_384
            else { throw TestServerError("before: \(before), after: \(after)") }
        }
    }

    /// A third of the servers runs one after another, the rest twenty at a time, each with a request; every tenth with
    /// TLS.
    static func manyServers(count: Int) async throws {
        for number in 0..<(count / 3) { try await oneServer(number) }
        for start in stride(from: count / 3, to: count, by: 20) {
            try await withThrowingTaskGroup { group in
                for number in start..<min(start + 20, count) {
                    group.addTask { try await oneServer(number) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func oneServer(_ number: Int) async throws {
        let isSecure = number.isMultiple(of: 10)
        let server = try await TestServer.start(
            [Stub(.get, "/", .text("hello"))], configuration: isSecure ? .tls() : TestServer.Configuration())
        if !isSecure {
            let socket = try RawSocket(port: server.port)
            socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            try await server.wait { $1.requests == 1 }
            withExtendedLifetime(socket) {}
        }
        await server.stop()
    }

    /// Starts servers, leaves requests unfinished and connections open, and stops.
    static func round() async throws {
        let stubs = [Stub(.get, "/slow", .text("").delayed(by: .seconds(3600))), .pattern(bytes: 100_000_000)]
        let plain = try await TestServer.start(stubs)
        let secure = try await TestServer.start(stubs, configuration: .tls())
        let sockets = try (0..<4).map { _ in try RawSocket(port: plain.port) }
        sockets[0].send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        sockets[1].send("GET /bytes HTTP/1.1\r\nHost: x\r\n\r\n")
        sockets[2].send("GET /half")
        let secured = try RawSocket(port: secure.port)
        try await plain.wait { $1.requests == 2 && $1.openConnections == 4 && $1.bytesWritten > 0 }
        try await secure.wait { $1.openConnections == 1 }
        await plain.stop()
        await plain.stop()
        await secure.stop()
        guard plain.requests.allSatisfy({ $0.outcome == .serverStopped }) else {
            throw TestServerError("outcomes \(plain.requests.map(\.outcome))")
        }
        withExtendedLifetime((sockets, secured)) {}
    }

    /// The resources of a process.
    struct Census {
        var descriptors = 0
        var threads = 0
        /// The threads of event loops.
        var loops = 0
        /// The process's private memory.
        var kilobytes = 0
    }

    static func census() -> Census {
        let files = FileManager.default
        let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = threads.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return Census(
            descriptors: (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1, threads: threads.count,
            loops: names.count { $0.hasPrefix("NIO-") }, kilobytes: Int(line.filter(\.isNumber)) ?? 0)
    }
    #endif

    @Test func anUnusablePortIsAnError() async throws {
        let server = try await TestServer.start()
        var configuration = TestServer.Configuration()
        configuration.port = server.port
        await #expect(throws: (any Error).self) { try await TestServer.start(configuration: configuration) }
        await server.stop()
    }

    @Test func stubsCanBeChangedWhileTheServerRuns() async throws {
        let server = try await TestServer.start([Stub(.get, "/", .text("one")).times(1)])
        #expect(server.unusedStubs.count == 1)
        #expect(try await Tool.curl(server.baseURL.description).text == "one")
        #expect(server.unusedStubs.isEmpty)
        server.add(Stub(.get, "/", .text("two")))
        #expect(try await Tool.curl(server.baseURL.description).text == "two")
        server.replaceStubs(with: [Stub(nil, "*", .text("three"))])
        #expect(try await Tool.curl(server.baseURL.description + "/any").text == "three")
        server.clearRequests()
        #expect(server.requests.isEmpty)
        #expect(server.statistics.requests == 3)
        await server.stop()
    }
}
#endif

import Glibc
import NetCore
import NetTestServer
import NetTesting

/// `bench-server-ours value|closure` prints its port and responds to every request with 1 KB until its standard input
/// ends; `bench-server-ours start plain|tls COUNT` prints the time of each of COUNT starts, in milliseconds.
@main
enum Program {
    private static let answer = StubResponse.bytes([UInt8](repeating: UInt8(ascii: "a"), count: 1024))

    static func main() async throws {
        switch CommandLine.arguments.dropFirst().first {
        case "value": try await serve(Stub(.get, "/", answer))
        case "closure": try await serve(Stub(.get, "/") { _ in answer })
        case "start" where CommandLine.arguments.count == 4:
            try await start(isSecure: CommandLine.arguments[2] == "tls", Int(CommandLine.arguments[3]) ?? 1)
        default:
            print("usage: bench-server-ours value|closure, or start plain|tls COUNT")
            exit(2)
        }
    }

    private static func serve(_ stub: Stub) async throws {
        let server = try await TestServer.start([stub])
        print(#"{"port": \#(server.port)}"#)
        fflush(nil)
        while readLine() != nil {}
        await server.stop()
    }

    private static func start(isSecure: Bool, _ count: Int) async throws {
        let clock = ContinuousClock()
        var times: [Double] = []
        for _ in 0..<count {
            let begin = clock.now
            let server = try await TestServer.start(
                [.echo()], configuration: isSecure ? .tls() : TestServer.Configuration())
            times.append((clock.now - begin) / .milliseconds(1))
            await server.stop()
        }
        print("[" + times.map { "\($0)" }.joined(separator: ", ") + "]")
    }
}

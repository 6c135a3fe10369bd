#if os(Linux)
import Foundation
import NetHTTP
import TestSupport
import Testing

/// The server of `Fixtures/streams/peer.py`, or a similar program; it ends with this object.
final class StreamPeer: Sendable {
    let port: Int
    private let input: Pipe
    private let process: Process

    private struct NoPort: Error {}

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the Python with packages from PyPI that `scripts/bootstrap --tests` installs; nil if one of the modules
    /// is missing.
    static func python(with modules: String...) -> String? {
        let own = root.appending(path: ".build-peers/auth/python/bin/python3").path
        guard FileManager.default.isExecutableFile(atPath: own) else { return nil }
        let child = try? ChildProcess(own, ["-c", "import \(modules.joined(separator: ", "))"])
        return child?.wait() == 0 ? own : nil
    }

    init(_ program: String = "streams/peer.py", with python: String = "/usr/bin/python3") throws {
        let script = Self.root.appending(path: "Fixtures/\(program)")
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: python)
        process.arguments = [script.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimming(while: \.isWhitespace)) else {
            try? input.fileHandleForWriting.close()
            throw NoPort()
        }
        (self.port, self.input, self.process) = (port, input, process)
    }

    /// Threads of the runtime block signals and child processes inherit that, so the program ends when its input does.
    deinit { try? input.fileHandleForWriting.close() }

    var baseURL: BaseURL { BaseURL(unchecked: "http://127.0.0.1:\(port)") }

    /// Runs `body` with a client of a separate server; every call must have ended when it returns.
    static func withClient(_ body: (HTTPClient) async throws -> Void) async throws {
        let peer = try StreamPeer()
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport(configuration: configuration))
        try await body(client)
        #expect(client.unfinishedCalls == 0)
        await client.shutdown()
        withExtendedLifetime(peer) {}
    }
}

extension String {
    fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> String {
        String(drop(while: isTrimmed).reversed().drop(while: isTrimmed).reversed())
    }
}
#endif

#if Tools
import Foundation

/// An HTTP server in Python that responds to each request with a description of it.
final class CallRecorder {
    static let python = "/usr/bin/python3"
    static let curl = "/usr/bin/curl"
    static var isPossible: Bool {
        [python, curl].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// A request as it arrived.
    struct Request: Decodable {
        let method, target: String
        /// The names and values, in order of arrival.
        let headers: [[String]]
        /// The bytes in hexadecimal.
        let body: String

        func values(_ name: String) -> [String] {
            headers.filter { $0[0].lowercased() == name }.map { $0[1] }
        }
    }

    private static let script = """
        import http.server, json
        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                text = json.dumps({"method": self.command, "target": self.path, "headers": self.headers.items(),
                    "body": body.hex()}).encode()
                self.send_response(200); self.send_header("Content-Length", str(len(text))); self.end_headers()
                if self.command != "HEAD": self.wfile.write(text)
            def __getattr__(self, name):
                if name.startswith("do_"): return self.answer
                raise AttributeError(name)
            def log_message(self, *arguments): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    let port: Int
    private let process = Process()

    init() throws {
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = ["-c", Self.script]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.start()
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)) else {
            process.terminate()
            throw CommandError(text: "the server didn't start: \(line)")
        }
        self.port = port
    }

    /// Uses a signal that can't be blocked: a thread of the pool blocks all others, and its child processes inherit
    /// that.
    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Runs a command line that calls the server, in a shell, and returns the request.
    func request(of line: String, in shell: String = "/bin/bash", _ environment: [String: String]) throws -> Request {
        let command = try Command.run(
            shell, ["-c", line.trimmingCharacters(in: .newlines) + " --silent --show-error"],
            environment: environment.merging(["PATH": "/usr/bin:/bin", "LC_ALL": "C"]) { $1 })
        guard command.exitCode == 0 else { throw CommandError(text: command.errors) }
        return try JSONDecoder().decode(Request.self, from: Data(command.output.utf8))
    }
}
#endif

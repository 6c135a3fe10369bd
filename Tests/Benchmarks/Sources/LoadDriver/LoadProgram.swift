internal import Glibc

/// Puts one client under the load that the command line specifies, and prints one line of JSON.
public enum LoadProgram {
    /// The complete `main` of a load program.
    ///
    /// The main thread only waits: an asynchronous `main` hands it over to libdispatch, which Valgrind doesn't survive.
    public static func run<Client: LoadClient>(_ type: Client.Type) -> Never {
        // A server that closes a connection must not end this process.
        signal(SIGPIPE, SIG_IGN)
        Task.detached {
            do {
                let settings = try LoadSettings(arguments: CommandLine.arguments)
                let client = try Client(settings)
                let figures = try await measure(client, settings)
                let headers = figures.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
                print("{\(headers)}")
                await client.shutdown()
                exit(0)
            } catch {
                complain("\(error)")
                exit(1)
            }
        }
        while true { pause() }
    }

    private static func measure(
        _ client: some LoadClient, _ settings: LoadSettings
    ) async throws -> KeyValuePairs<String, Double> {
        switch settings.mode {
        case .get:
            return await load(client, settings) { try await client.get(settings.url) }
        case .post:
            let body = [UInt8](repeating: UInt8(ascii: "x"), count: 1024)
            return await load(client, settings) { try await client.post(settings.url, body: body) }
        case .typed:
            return await load(client, settings) { try await client.typed(settings.url) }
        case .decode:
            return await load(client, settings) { try client.decode() }
        case .download:
            return try await download(client, settings)
        case .idle:
            return try await idle(client, settings)
        case .once:
            _ = try await client.get(settings.url)
            // The client's shutdown isn't part of the measured start.
            _exit(0)
        }
    }

    static func complain(_ message: String) {
        let line = Array("\(message)\n".utf8)
        _ = write(2, line, line.count)
    }
}

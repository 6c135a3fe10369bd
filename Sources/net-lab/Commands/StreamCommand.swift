#if Tools && Server
internal import ArgumentParser

/// `net-lab stream`: events and a large body, shown as they arrive.
struct StreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream",
        abstract: "Follow events and read a large body from a server on this machine, as they arrive.",
        discussion: "The exit code is 0 if each event arrived once, and every byte as it was sent.")

    @Option(help: "The size of the body, in bytes.")
    var bytes = 16_000_000

    @Option(help: "How many bytes of it the server sends per second.")
    var rate = 16_000_000

    func validate() throws {
        guard bytes > 0 else { throw ValidationError("--bytes must be positive, not \(bytes).") }
        guard rate > 0 else { throw ValidationError("--rate must be positive, not \(rate).") }
    }

    func run() async throws {
        let isRight = try await Workbench.with(.live, Broadcast.stubs(bytes: Int64(bytes), rate: rate)) { bench in
            try await StreamTour(client: bench.client(), bytes: Int64(bytes)).run()
        }
        if !isRight { throw ExitCode.failure }
    }
}
#endif

#if Tools && Server
internal import ArgumentParser
internal import NetSocket
internal import NetTesting

/// `net-lab realtime`: a session that loses its connection and resumes.
struct RealtimeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "realtime",
        abstract: "Keep a session with a server on this machine that cuts the connection off.",
        discussion: "The exit code is 0 if the session continued and nothing was lost.")

    @Option(help: "How long the session waits before it connects again, such as 500ms or 2s.")
    var wait = Seconds(.milliseconds(500))

    func run() async throws {
        let peer = RealtimeTour.peer()
        let isRight = try await Workbench.with(.live, [], webSockets: [peer.stub]) { bench in
            try await bench.withSession("/realtime", RealtimeTour.configuration(wait: wait.duration)) { session in
                try await RealtimeTour(session: session, peer: peer).run()
            }
        }
        if !isRight { throw ExitCode.failure }
    }
}
#endif

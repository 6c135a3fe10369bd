#if Tools && Server
internal import ArgumentParser
internal import NetSocket
internal import NetTesting

/// `net-lab subscription`: a channel whose connections are lost and restored.
struct SubscriptionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription",
        abstract: "Subscribe to a channel of a server on this machine, over connections that come and go.",
        discussion: "The exit code is 0 if missed messages were replayed, or reported as lost.")

    @Option(help: "How long the session waits before it connects again, such as 500ms or 2s.")
    var wait = Seconds(.milliseconds(500))

    func run() async throws {
        let peer = SubscriptionTour.peer()
        let isRight = try await Workbench.with(.live, [], webSockets: [peer.stub]) { bench in
            try await bench.withSession("/prices", SubscriptionTour.configuration(wait: wait.duration)) { session in
                try await SubscriptionTour(session: session, peer: peer).run()
            }
        }
        if !isRight { throw ExitCode.failure }
    }
}
#endif

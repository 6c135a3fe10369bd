#if Tools && Server
internal import ArgumentParser

/// `net-lab posts`: a tour of typed requests.
struct PostsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "posts",
        abstract: "List, read and write posts by typed requests, with a server on this machine.",
        discussion: "The exit code is 0 if everything arrived as expected, including typed failures.")

    func run() async throws {
        let isRight = try await Workbench.with(.live, PostBoard().stubs) { bench in
            try await PostTour(client: bench.client()).run()
        }
        if !isRight { throw ExitCode.failure }
    }
}
#endif

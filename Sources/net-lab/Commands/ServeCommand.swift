#if Tools && Server
internal import ArgumentParser
internal import NetCore
internal import NetSocketServer

/// `net-lab serve`: servers to try out.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve something to look at.", subcommands: [Chat.self, ShopCommand.self])

    /// `net-lab serve chat`: the chat, until it is interrupted.
    struct Chat: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "chat",
            abstract: "Serve a chat with rooms, presence and history, and a page for it.",
            discussion: "It keeps everything in memory, or in a Redis that servers share. Names aren't verified.")

        @Option(help: "The address to listen on; 0.0.0.0 for all addresses of this machine.")
        var host = "127.0.0.1"

        @Option(help: "The port; 0 picks a free one.")
        var port = 8080

        @Option(
            help: "A Redis or Valkey that connects several servers to one chat: redis://[[user]:password@]host[:port].")
        var redis: String?

        @Flag(inversion: .prefixedNo, help: "Whether messages are compressed for clients that offer it.")
        var compression = true

        @Option(help: "A file in place of the built-in page, read for each request.")
        var page: String?

        func validate() throws { _ = try fanOut() }

        func run() async throws {
            let chat = ChatServer(
                host: host, port: port, isCompressing: compression, page: ChatPage(file: page), fanOut: try fanOut())
            do {
                try await chat.run { port in
                    Terminal.print("The chat is at http://\(name):\(port)/")
                    Terminal.print("In a terminal: net-lab chat NAME --url ws://\(name):\(port)/socket")
                }
            } catch {
                Terminal.print("net-lab: \(NetError(error)?.reason ?? "\(error)")")
                throw ExitCode.failure
            }
        }

        /// The host as part of a URL on this machine.
        private var name: String {
            ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
        }

        /// Returns the broker that the servers share; nil for the memory of this process.
        private func fanOut() throws -> (any FanOutEngine)? {
            #if Redis
            guard let redis else { return nil }
            do throws(NetError) { return try RedisFanOut(redis) } catch {
                throw ValidationError("--redis: \(error.message)")
            }
            #else
            guard redis == nil else {
                throw ValidationError(
                    "--redis needs the trait Redis: swift run --traits Tools,Redis net-lab serve chat --redis URL")
            }
            return nil
            #endif
        }
    }
}
#endif

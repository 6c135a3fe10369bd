#if Tools && Server
internal import ArgumentParser
internal import Foundation

/// `net-lab serve`: servers to look at.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve something to look at.", subcommands: [Chat.self])

    /// `net-lab serve chat`: the chat, until it is interrupted.
    struct Chat: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "chat",
            abstract: "Serve a chat with rooms, presence and history, and a page for it.",
            discussion: "It binds 127.0.0.1, and keeps everything in memory. Nobody checks names.")

        @Option(help: "The port; 0 takes a free one.")
        var port = 8080

        @Flag(inversion: .prefixedNo, help: "Whether messages are compressed for clients that offer it.")
        var compression = true

        @Option(help: "A file in place of the built-in page, read for each request.")
        var page: String?

        func run() async throws {
            let chat = ChatServer(port: port, isCompressing: compression, page: ChatPage(file: page))
            try await chat.run { port in
                Terminal.print("The chat is at http://127.0.0.1:\(port)/")
                Terminal.print("In a terminal: net-lab chat NAME --url ws://127.0.0.1:\(port)/socket")
            }
        }
    }
}
#endif

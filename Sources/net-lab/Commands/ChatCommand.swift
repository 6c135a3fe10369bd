#if Tools && Server
internal import ArgumentParser
internal import NetCore

/// `net-lab chat`: the chat in a terminal.
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chat in a terminal with the users of the page of net-lab serve chat.",
        discussion: "Each line is a message. /who lists the users in the room; the end of the input leaves it.")

    @Argument(help: "Your name.")
    var name: String

    @Option(help: "The chat's WebSocket.")
    var url = "ws://127.0.0.1:8080/socket"

    @Option(help: "The room: \(ChatRoom.all.map(\.name).joined(separator: ", ")).")
    var room = "general"

    func validate() throws {
        guard ChatUser(name: name) != nil else {
            throw ValidationError("a name has 1 to \(ChatUser.maximumLength) characters")
        }
        guard ChatRoom.of(topic: "room:\(room)") != nil else { throw ValidationError("there is no room \"\(room)\"") }
    }

    func run() async throws {
        guard let room = ChatRoom.of(topic: "room:\(room)") else { return }
        let terminal = ChatTerminal(url: url, name: name, room: room) { Terminal.print($0) }
        do {
            try await terminal.run(Terminal.lines())
        } catch {
            Terminal.print("net-lab: \(NetError(error)?.reason ?? "\(error)")")
            throw ExitCode.failure
        }
    }
}
#endif

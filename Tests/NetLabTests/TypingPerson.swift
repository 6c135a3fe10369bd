#if Tools && Server
import NetSocket
import Synchronization

@testable import net_lab

/// A user at a terminal of the chat, in the room for tea.
final class TypingPerson: Sendable {
    private struct State {
        var lines: [String] = []
        var readers: [AsyncStream<String>.Continuation] = []
    }

    let name: String
    private let sockets: WebSocketClient
    private let (typed, typing) = AsyncStream.makeStream(of: String.self)
    private let state = Mutex(State())

    init(_ name: String, at server: Int, in world: ChatWorld) {
        self.name = name
        sockets = world.sockets(to: server)
    }

    /// Chats until ``endTyping()``.
    func run() async throws {
        let terminal = ChatTerminal(
            url: "ws://chat.test/socket", sockets: sockets, name: name, room: ChatRoom.all[2]
        ) { self.print($0) }
        try await terminal.run(typed)
    }

    func type(_ line: String) { typing.yield(line) }
    func endTyping() { typing.finish() }

    private func print(_ line: String) {
        state.withLock { state in
            state.lines.append(line)
            for reader in state.readers { reader.yield(line) }
        }
    }

    /// The lines printed so far.
    var lines: [String] { state.withLock { $0.lines } }

    /// The messages among the lines, without their times and names.
    var texts: [String] {
        lines.compactMap { line in
            guard !line.hasPrefix("·"), let range = line.firstRange(of: #/(Ada|Bob|you): /#) else { return nil }
            return String(line[range.upperBound...])
        }
    }

    /// Waits until a line with this ending has been printed.
    func waitForLine(_ end: String) async {
        let (printed, reader) = AsyncStream.makeStream(of: String.self)
        state.withLock { state in
            for line in state.lines { reader.yield(line) }
            state.readers.append(reader)
        }
        for await line in printed where line.hasSuffix(end) { return }
    }
}
#endif

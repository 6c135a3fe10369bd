#if Tools && Server
import NetSocket
import TestSupport
import Testing

@testable import net_lab

@Suite struct ChatTerminalTests {
    @Test func `Lines are messages, and those of others are printed with the history`() async throws {
        try await ChatWorld.run { world in
            try await world.client("Ada").withConnection { ada in
                let room = try await ada.join("room:tea")
                try await room.send(SendMessage(key: "1", text: "before"))
                let messages = room.pushes(of: ChatMessage.self)
                let (lines, typing) = AsyncStream.makeStream(of: String.self)
                let (printed, printing) = AsyncStream.makeStream(of: String.self)
                let terminal = ChatTerminal(
                    url: "ws://chat.test/socket", sockets: world.sockets, name: "Bob", room: ChatRoom.all[2]
                ) { printing.yield($0) }
                async let running: Void = terminal.run(lines)
                var (output, arrivals) = (printed.makeAsyncIterator(), messages.makeAsyncIterator())
                #expect(await output.next(with: ": before")?.contains("Ada") == true)
                typing.yield("hello")
                #expect(try await arrivals.next()?.text == "hello")
                #expect(await output.next(with: ": hello")?.contains("you") == true)
                try await room.send(SendMessage(key: "2", text: "welcome"))
                #expect(await output.next(with: ": welcome")?.contains("Ada") == true)
                typing.yield(String(repeating: "x", count: 2001))
                #expect(await output.next(with: "refused") == "✗ refused: A message has at most 2000 characters")
                typing.finish()
                try await running
            }
        }
    }
}

extension AsyncStream.Iterator where Element == String {
    /// Returns the next line that contains a text.
    fileprivate mutating func next(with text: String) async -> String? {
        while let line = await next(isolation: #isolation) {
            if line.contains(text) { return line }
        }
        return nil
    }
}
#endif

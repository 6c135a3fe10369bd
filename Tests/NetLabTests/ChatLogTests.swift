#if Tools && Server
import Testing

@testable import net_lab

@Suite struct ChatLogTests {
    @Test func `Messages count up from 1`() {
        var log = ChatLog()
        #expect(log.append(SendMessage(key: "a", text: "one"), from: "Ada", at: 5).reply == .init(id: 1, at: 5))
        #expect(log.append(SendMessage(key: "b", text: "two"), from: "Bob", at: 6).reply == .init(id: 2, at: 6))
        let second = ChatMessage(id: 2, key: "b", from: "Bob", text: "two", at: 6)
        #expect(log.messages.map(\.text) == ["one", "two"])
        #expect(log.messages.last == second)
    }

    @Test func `A message that is sent again is the same message`() {
        var log = ChatLog()
        let first = log.append(SendMessage(key: "a", text: "one"), from: "Ada", at: 5)
        #expect(first.added?.id == 1)
        let again = log.append(SendMessage(key: "a", text: "one"), from: "Ada", at: 9)
        #expect(again.added == nil)
        #expect(again.reply == first.reply)
        #expect(log.messages.count == 1)
    }

    @Test func `The oldest messages make room, and their numbers aren't used again`() {
        var log = ChatLog(maximumCount: 2)
        for key in ["a", "b", "c"] { _ = log.append(SendMessage(key: key, text: key), from: "Ada", at: 0) }
        #expect(log.messages.map(\.id) == [2, 3])
        #expect(log.append(SendMessage(key: "a", text: "a"), from: "Ada", at: 0).reply.id == 4)
    }
}
#endif

#if Tools && Server
import NetSocket
import NetSocketServer
import Testing

@testable import net_lab

@Suite struct ChatServiceTests {
    @Test func `A message reaches everybody in the room, its author too`() async throws {
        try await ChatWorld.run { world in
            try await world.client("Ada").withConnection { ada in
                try await world.client("Bob").withConnection { bob in
                    let (mine, theirs) = (ada.pushes(of: ChatMessage.self), bob.pushes(of: ChatMessage.self))
                    let room = try await ada.join("room:general")
                    try await bob.join("room:general")
                    let reply = try await room.send(SendMessage(key: "k", text: "hello"))
                    let message = ChatMessage(key: "k", from: "Ada", text: "hello", at: reply.at)
                    #expect(reply.id == 1)
                    for pushes in [mine, theirs] {
                        var iterator = pushes.makeAsyncIterator()
                        #expect(try await iterator.next() == message)
                    }
                }
            }
        }
    }

    @Test func `A message that is sent again has the number of the first, and nobody receives it again`() async throws {
        try await ChatWorld.run { world in
            try await world.client("Ada").withConnection { ada in
                let pushes = ada.pushes(of: ChatMessage.self)
                let room = try await ada.join("room:general")
                for _ in 1...2 { #expect(try await room.send(SendMessage(key: "k", text: "once")).id == 1) }
                #expect(try await room.send(SendMessage(key: "l", text: "then")).id == 2)
                var iterator = pushes.makeAsyncIterator()
                #expect(try await iterator.next()?.text == "once")
                #expect(try await iterator.next()?.text == "then")
                #expect(try await room.send(LoadHistory(limit: 9)).messages.map(\.key) == ["k", "l"])
            }
        }
    }

    @Test func `History has the latest messages of its room`() async throws {
        try await ChatWorld.run { world in
            try await world.client("Ada").withConnection { ada in
                let room = try await ada.join("room:general")
                let other = try await ada.join("room:tea")
                for number in 1...5 { try await room.send(SendMessage(key: "\(number)", text: "\(number)")) }
                try await other.send(SendMessage(key: "6", text: "elsewhere"))
                let latest = try await room.send(LoadHistory(limit: 2)).messages
                #expect(latest.map(\.text) == ["4", "5"])
                #expect(latest.map(\.id) == [4, 5])
                #expect(try await room.send(LoadHistory(limit: -1)).messages == [])
                #expect(try await ada.send(ListRooms()).rooms == ChatRoom.all)
            }
        }
    }

    @Test func `A text that is too long, an empty one and one without a key are refused`() async throws {
        try await ChatWorld.run { world in
            try await world.client("Ada").withConnection { ada in
                let room = try await ada.join("room:general")
                let long = String(repeating: "x", count: 2001)
                #expect(await code { try await room.send(SendMessage(key: "k", text: long)) } == "too_long")
                #expect(await code { try await room.send(SendMessage(key: "k", text: " \n")) } == "empty")
                #expect(await code { try await room.send(SendMessage(key: "", text: "x")) } == "empty")
                #expect(try await room.send(LoadHistory(limit: 9)).messages == [])
            }
        }
    }

    @Test func `There are only the listed rooms, and commands need one`() async throws {
        try await ChatWorld.run { world in
            try await world.client("Ada").withConnection { ada in
                #expect(await code { try await ada.join("room:secret") } == "not_found")
                #expect(await code { try await ada.join("typing:secret") } == "not_found")
                #expect(await code { try await ada.send(SendMessage(key: "k", text: "x")) } == "no_room")
            }
        }
    }

    @Test func `Typing is told to the others alone`() async throws {
        try await ChatWorld.run { world in
            try await world.client("Ada").withConnection { ada in
                try await world.client("Bob").withConnection { bob in
                    let (mine, theirs) = (ada.pushes(of: TypingNotice.self), bob.pushes(of: TypingNotice.self))
                    let typing = try await ada.join("typing:tea")
                    let other = try await bob.join("typing:tea")
                    try await typing.send(StartTyping())
                    try await other.send(StartTyping())
                    var (atAda, atBob) = (mine.makeAsyncIterator(), theirs.makeAsyncIterator())
                    #expect(try await atBob.next()?.from == "Ada")
                    #expect(try await atAda.next()?.from == "Bob")
                }
            }
        }
    }

    @Test(arguments: ["", "  ", String(repeating: "x", count: 25)])
    func `Nobody has such a name`(_ name: String) {
        #expect(ChatUser(name: name) == nil)
    }

    @Test func `Names are trimmed`() {
        #expect(ChatUser(name: " Ada ")?.name == "Ada")
        #expect(ChatUser(name: nil) == nil)
    }
}

/// Returns the code of the failure with which a command is rejected.
private func code(_ body: () async throws -> some Any) async -> String? {
    do { _ = try await body() } catch SocketCommandError.rejected(let failure) { return failure.code } catch {
        return "\(error)"
    }
    return nil
}
#endif

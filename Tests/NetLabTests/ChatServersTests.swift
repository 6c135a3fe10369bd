#if Tools && Server
import NetSocket
import NetSocketCore
import NetSocketServer
import TestSupport
import Testing

@testable import net_lab

/// Servers that form one chat.
@Suite(.timeLimit(.minutes(2))) struct ChatServersTests {
    @Test func `A message reaches the members at both servers, with one number`() async throws {
        try await ChatWorld.twoServers { world in
            try await world.client("Ada", at: 0).withConnection { ada in
                try await world.client("Bob", at: 1).withConnection { bob in
                    let (mine, theirs) = (ada.pushes(of: ChatMessage.self), bob.pushes(of: ChatMessage.self))
                    let (here, there) = (try await ada.join("room:tea"), try await bob.join("room:tea"))
                    let first = try await here.send(SendMessage(key: "a", text: "hello"))
                    let second = try await there.send(SendMessage(key: "b", text: "hi"))
                    #expect([first.id, second.id] == [1, 2])
                    for pushes in [mine, theirs] {
                        var iterator = pushes.makeAsyncIterator()
                        #expect(try await iterator.next()?.text == "hello")
                        #expect(try await iterator.next()?.text == "hi")
                    }
                }
            }
        }
    }

    @Test func `A message that is sent again to the other server is the same message`() async throws {
        try await ChatWorld.twoServers { world in
            try await world.client("Ada", at: 0).withConnection { ada in
                try await world.client("Ada", at: 1).withConnection { again in
                    let pushes = again.pushes(of: ChatMessage.self)
                    let (first, second) = (try await ada.join("room:tea"), try await again.join("room:tea"))
                    let message = SendMessage(key: "k", text: "once")
                    #expect(try await first.send(message).id == 1)
                    #expect(try await second.send(message).id == 1)
                    #expect(try await second.send(SendMessage(key: "l", text: "then")).id == 2)
                    var iterator = pushes.makeAsyncIterator()
                    #expect(try await iterator.next()?.text == "once")
                    #expect(try await iterator.next()?.text == "then")
                    #expect(try await first.send(LoadHistory(limit: 9)).messages.map(\.text) == ["once", "then"])
                }
            }
        }
    }

    @Test func `The history at one server has the messages of the other, and their numbers`() async throws {
        try await ChatWorld.twoServers { world in
            try await world.client("Ada", at: 0).withConnection { ada in
                let room = try await ada.join("room:tea")
                for number in 1...3 { try await room.send(SendMessage(key: "\(number)", text: "\(number)")) }
                try await world.client("Bob", at: 1).withConnection { bob in
                    let room = try await bob.join("room:tea")
                    let messages = try await room.send(LoadHistory(limit: 2)).messages
                    #expect(messages.map(\.text) == ["2", "3"])
                    #expect(messages.map(\.id) == [2, 3])
                    #expect(messages.map(\.from) == ["Ada", "Ada"])
                }
            }
        }
    }

    @Test func `Those who are at the other server are shown, until they go`() async throws {
        try await ChatWorld.twoServers { world in
            try await world.client("Ada", at: 0).withConnection { ada in
                var people = People(ada.channel("room:tea"))
                try await ada.join("room:tea")
                try await world.client("Bob", at: 1).withConnection { bob in
                    let room = try await bob.join("room:tea")
                    #expect(try await people.next(2) == ["Ada", "Bob"])
                    try await room.leave()
                    #expect(try await people.next(1) == ["Ada"])
                }
            }
        }
    }

    #if Redis && os(Linux)
    @Test(.enabled(if: RedisServerProcess.program.path != nil))
    func `Clients of a server that crashes go on at the other one; nothing is missing, and nothing is there twice`()
        async throws
    {
        try await RedisServerProcess.with { broker in
            let address = "redis://127.0.0.1:\(broker.port)"
            try await ChatWorld.run([try RedisFanOut(address), try RedisFanOut(address)]) { world in
                try await Self.chat(in: world)
            }
        }
    }
    #endif

    @Test func `So do those of servers that share a memory`() async throws {
        try await ChatWorld.twoServers { world in try await Self.chat(in: world) }
    }

    private static let count = 40

    /// Two terminals, one at each server, send many messages, and the first server crashes meanwhile.
    private static func chat(in world: ChatWorld) async throws {
        let (ada, bob) = (TypingPerson("Ada", at: 0, in: world), TypingPerson("Bob", at: 1, in: world))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in [ada, bob] { group.addTask { try await person.run() } }
            // Both are in the room.
            for person in [ada, bob] { person.type("\(person.name.lowercased()) 0.") }
            for person in [ada, bob] {
                for name in ["ada", "bob"] { await person.waitForLine(": \(name) 0.") }
            }
            for number in 1...count {
                ada.type("ada \(number).")
                bob.type("bob \(number).")
            }
            await bob.waitForLine(" Ada: ada 5.")
            world.crash(0)
            // Also if every message has already arrived.
            await ada.waitForLine("· connected again")
            for person in [ada, bob] {
                for name in ["ada", "bob"] { await person.waitForLine(": \(name) \(count).") }
            }
            for person in [ada, bob] { person.endTyping() }
            try await group.waitForAll()
        }
        #expect(ada.texts.sorted() == (0...count).flatMap { ["ada \($0).", "bob \($0)."] }.sorted())
        #expect(ada.texts == bob.texts)
        for name in ["ada", "bob"] {
            #expect(ada.texts.filter { $0.hasPrefix(name) } == (0...count).map { "\(name) \($0)." })
        }
        #expect(ada.lines.contains("· connected again"))
        #expect(!(ada.lines + bob.lines).contains { $0.hasPrefix("✗") || $0.contains("missing") })
    }
}

/// The members of a room.
private struct People {
    private var presences: SocketSequence<Presence>.AsyncIterator

    init(_ channel: SocketChannel) { presences = channel.presences.makeAsyncIterator() }

    /// Returns the names, once there are the given number of them.
    mutating func next(_ count: Int) async throws -> [String] {
        while let presence = try await presences.next() {
            if presence.count == count { return presence.keys }
        }
        return []
    }
}
#endif

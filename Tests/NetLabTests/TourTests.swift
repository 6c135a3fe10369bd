#if Tools && Server
import ArgumentParser
import HTTPTypes
import NetCore
import NetSocket
import NetTesting
import Testing

@testable import net_lab

@Suite struct TourTests {
    // MARK: The commands, over a wire

    @Test func `posts ends well`() async throws {
        try await #expect(wrong(in: PostsCommand.self).isEmpty)
    }

    @Test func `realtime ends well`() async throws {
        try await #expect(wrong(in: RealtimeCommand.self, "--wait", "50ms").isEmpty)
    }

    @Test func `subscription ends well`() async throws {
        try await #expect(wrong(in: SubscriptionCommand.self, "--wait", "50ms").isEmpty)
    }

    @Test func `stream ends well`() async throws {
        try await #expect(wrong(in: StreamCommand.self, "--bytes", "400000", "--rate", "100000000").isEmpty)
    }

    // MARK: What had to come and didn't, in memory

    @Test func `Posts that are accepted without a title are noticed`() async throws {
        let stub = Stub(.post, "/posts", .json(Post(id: 4, title: "", text: ""), status: .created)).priority(1)
        let wrong = try await wrong { steps in
            try await Workbench.with(.mock, PostBoard().stubs + [stub]) { bench in
                try await PostTour(client: bench.client(), steps: steps).run()
            }
        }
        #expect(wrong == ["create", "list again", "no title"])
    }

    @Test func `An order that is answered otherwise is noticed`() async throws {
        let peer = RealtimeTour.peer()
        peer.on(RealtimeTour.Order.self) { _ in 7 }
        let wrong = try await wrong { steps in
            try await session(peer, "/realtime", RealtimeTour.configuration(wait: .milliseconds(50))) { session in
                try await RealtimeTour(session: session, peer: peer, steps: steps).run()
            }
        }
        #expect(wrong == ["reply", "reply"])
    }

    @Test func `A history that holds more than it should is noticed`() async throws {
        let peer = SubscriptionTour.peer(history: 10)
        let wrong = try await wrong { steps in
            try await session(peer, "/prices", SubscriptionTour.configuration(wait: .milliseconds(50))) { session in
                try await SubscriptionTour(session: session, peer: peer, steps: steps).run()
            }
        }
        #expect(wrong.prefix(2) == ["gap", "goes on"])
    }

    @Test func `Events that are missing and bytes that are changed are noticed`() async throws {
        let stubs = [
            Stub(.get, "/reports") { request in
                request.headers["Last-Event-ID"] == nil
                    ? .chunks(["retry: 50\nid: 1\ndata: gale warning\n\n"], contentType: "text/event-stream")
                    : .status(.noContent)
            },
            Stub(.get, "/atlas", .bytes(repeatElement(0, count: 1000))),
        ]
        let wrong = try await wrong { steps in
            try await Workbench.with(.mock, stubs) { bench in
                try await StreamTour(client: bench.client(), bytes: 2000, steps: steps).run()
            }
        }
        #expect(wrong == ["events", "length", "body"])
    }

    @Test func `A session for which nothing comes ends with an error`() async throws {
        let peer = SocketPeer("/silent", wire: .centrifuge) { _, _ in [] }
        await #expect(throws: Overdue.self) {
            try await Workbench.with(.mock, [], webSockets: [peer.stub]) { bench in
                try await bench.withSession(
                    "/silent", SocketClient.Configuration(wire: .centrifuge), limit: .milliseconds(50)
                ) { session in
                    _ = try await session.withConnection { try await $0.join("herring") }
                    return true
                }
            }
        }
    }

    // MARK: Helpers

    private func session(
        _ peer: SocketPeer, _ path: String, _ configuration: SocketClient.Configuration,
        _ body: @escaping @Sendable (SocketClient) async throws -> Bool
    ) async throws -> Bool {
        try await Workbench.with(.mock, [], webSockets: [peer.stub]) { bench in
            try await bench.withSession(path, configuration, body)
        }
    }

    /// The steps of a command that did not go as they had to; it must show some that did.
    private func wrong<Command: AsyncParsableCommand>(
        in type: Command.Type, _ words: String...
    ) async throws -> [String] {
        let printed = PrintedLines()
        try await printed.take {
            var command = try type.parse(words)
            try await command.run()
        }
        #expect(printed.all.contains { $0.hasPrefix("  right  ") })
        return printed.all.filter { $0.hasPrefix("  WRONG  ") }
    }

    /// The steps that did not go as they had to, of a tour that says so.
    private func wrong(_ tour: (Steps) async throws -> Bool) async throws -> [String] {
        let printed = PrintedLines()
        let isRight = try await printed.take { try await tour(Steps()) }
        #expect(!isRight)
        return printed.all.filter { $0.hasPrefix("  WRONG  ") }
            .map { String($0.dropFirst(9).prefix(14)).split(separator: "  ").first.map(String.init) ?? "" }
    }
}
#endif

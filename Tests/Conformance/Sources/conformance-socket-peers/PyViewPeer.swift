#if Server
import NetCore
import NetSocket
import NetSocketCore

/// Our sessions with pyview, a LiveView server that supports version 2 of Phoenix channels.
struct PyViewPeer {
    /// An event of the page; the reply is the difference from the previous page.
    struct PageEvent: SocketCommand {
        static let event = "event"
        typealias Response = JSONValue
        var type = "click"
        var event: String
        var value: [String: String] = [:]
    }

    struct Patch: SocketCommand {
        static let event = "live_patch"
        typealias Response = JSONValue
        var url: String
    }

    /// An event that pyview doesn't know and doesn't reply to.
    struct Unknown: SocketCommand {
        static let event = "unknown"
        typealias Response = NoResponse
    }

    struct Diff: SocketPush {
        static let event = "diff"
        let change: JSONValue

        init(from decoder: any Decoder) throws { change = try JSONValue(from: decoder) }
        func encode(to encoder: any Encoder) throws { try change.encode(to: encoder) }
    }

    let server: ForeignServer

    static func run(_ peers: PeerFolder) async throws -> CaseList {
        let cases = CaseList("pyview")
        let peer = PyViewPeer(server: try await ForeignServer.start(peers, "pyview_server.py"))
        await peer.runJoins(cases)
        await peer.runEvents(cases)
        await peer.runFailures(cases)
        await cases.run("an upload, in messages of bytes") { try await peer.uploads() }
        await cases.run("heartbeats") { try await peer.beats() }
        await cases.run("a server that is killed and started again") { try await peer.outlives(peers) }
        let next = PyViewPeer(server: try await ForeignServer.start(peers, "pyview_server.py"))
        await cases.run("an event while the server is away") { try await next.waits(peers) }
        return cases
    }

    func page() async throws -> LivePage { try await LivePage.fetch("http://127.0.0.1:\(server.port)/count") }

    func client(_ change: (inout SocketClient.Configuration) -> Void = { _ in }) -> SocketClient {
        server.client("/live/websocket?vsn=2.0.0", .phoenixV2, change)
    }

    /// Runs `body` with a joined view.
    func withView(
        _ change: (inout SocketClient.Configuration) -> Void = { _ in },
        _ body: @Sendable (SocketClient, SocketChannel, LivePage) async throws -> Void
    ) async throws {
        let page = try await page()
        try await client(change).withConnection { client in
            let view = try await client.join(page.topic) { page.join }
            _ = try await server.program.line(beginning: "mounted")
            try await body(client, view, page)
            client.close()
            _ = try await server.program.line(beginning: "gone")
        }
    }

    private func runJoins(_ cases: CaseList) async {
        await cases.run("join, with the page as the reply") {
            let page = try await page()
            try await client().withConnection { client in
                var events = client.channel(page.topic).events().makeAsyncIterator()
                try await client.join(page.topic) { page.join }
                guard case .joining? = try await events.next(),
                    case .joined(let reply?, missed: .nothing)? = try await events.next()
                else {
                    throw CaseFailure("the first events are none of the join")
                }
                let rendered = try reply.decoded(as: JSONValue.self)["rendered"]
                try expect("\(String(describing: rendered))".contains("count"), "the reply has no page")
            }
            _ = try await server.program.line(beginning: "gone")
        }
        await cases.run("a join with a wrong token ends the session") {
            let page = try await page()
            let client = client()
            try await client.withConnection { client in
                do {
                    try await client.join("lv:phx-other") { page.join }
                } catch SocketCommandError.failed(let error) {
                    // pyview doesn't reply to such a join, but closes with 1000.
                    guard case .failed = client.state else { throw CaseFailure("\(client.state): \(error)") }
                    return
                }
                throw CaseFailure("it was joined")
            }
        }
        await cases.run("leave, and join again on the same connection") {
            let page = try await page()
            try await client().withConnection { client in
                let view = try await client.join(page.topic) { page.join }
                _ = try await server.program.line(beginning: "mounted")
                try await view.leave()
                _ = try await server.program.line(beginning: "gone")
                try await client.join(page.topic) { page.join }
                _ = try await server.program.line(beginning: "mounted")
                let reply = try await view.send(PageEvent(event: "add", value: ["by": "1"]))
                try expect(reply["diff"]?["0"]?.stringValue, is: "1")
            }
        }
    }

    private func runEvents(_ cases: CaseList) async {
        await cases.run("an event with its reply") {
            try await withView { _, view, _ in
                var reply = try await view.send(PageEvent(event: "add", value: ["by": "2"]))
                try expect(reply["diff"]?["0"]?.stringValue, is: "2")
                reply = try await view.send(PageEvent(event: "add", value: ["by": "40"]))
                try expect(reply["diff"]?["0"]?.stringValue, is: "42")
            }
        }
        await cases.run("many events at once") {
            try await withView { _, view, _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 1...50 {
                        group.addTask { try await view.send(PageEvent(event: "add", value: ["by": "1"])) }
                    }
                    try await group.waitForAll()
                }
                let reply = try await view.send(PageEvent(event: "add", value: ["by": "1"]))
                try expect(reply["diff"]?["0"]?.stringValue, is: "51")
            }
        }
        await cases.run("an event whose reply pushes to the page") {
            try await withView { _, view, _ in
                let reply = try await view.send(PageEvent(event: "shout", value: ["text": "Grüße \u{1F600}"]))
                try expect(reply["diff"]?["e"]?[0]?[1]?["text"]?.stringValue, is: "Grüße \u{1F600}")
            }
        }
        await cases.run("a change of the address") {
            try await withView { _, view, page in
                let reply = try await view.send(Patch(url: page.join.url + "?page=2"))
                try expect(reply["diff"], is: [:])
            }
        }
        await cases.run("changes that the server pushes") {
            try await withView { _, view, _ in
                var changes = view.pushes(of: Diff.self).makeAsyncIterator()
                try await view.send(PageEvent(event: "start"))
                for count in 1...3 {
                    try expect(try await changes.next()?.change["1"]?.stringValue, is: "\(count)")
                }
            }
        }
    }

    /// A file is sent as bytes in a separate channel. The commands of a session are JSON, so this test uses the wire
    /// protocol directly.
    private func uploads() async throws {
        let page = try await page()
        let socket = try await WireSocket.open("ws://127.0.0.1:\(server.port)/live/websocket?vsn=2.0.0", .phoenixV2)
        try await socket.say(.join(WireJoin(id: 1, topic: page.topic, payload: try SocketPayload(page.join))))
        guard case .joined = try await socket.hear() else { throw CaseFailure("the view was not joined") }
        let token = ["path": "file", "ref": "0", "name": "a.bin", "size": "6", "type": "application/octet-stream"]
        try await socket.say(.join(WireJoin(id: 2, topic: "lvu:0", payload: try SocketPayload(["token": token]))))
        guard case .joined = try await socket.hear() else { throw CaseFailure("the upload was not joined") }
        for (id, chunk) in [(SocketID.number(3), [0, 1, 254, 255] as Bytes), (4, [10, 13])] {
            let request = WireRequest(id: id, event: "chunk", payload: SocketPayload(bytes: chunk), topic: "lvu:0")
            try await socket.say(.request(request))
            guard case .reply(let reply) = try await socket.hear(), reply.id == id, reply.topic == "lvu:0" else {
                throw CaseFailure("the chunk was not answered")
            }
        }
        let read = WireRequest(
            id: 5, event: "event", payload: try SocketPayload(PageEvent(event: "read")), topic: page.topic)
        try await socket.say(.request(read))
        try expect(try await server.program.line(beginning: "uploaded"), is: "0001feff0a0d")
        await socket.close()
        _ = try await server.program.line(beginning: "mounted")
        _ = try await server.program.line(beginning: "gone")
    }
}
#endif

#if Server
import NetCore
import NetSocket
import NetSocketCore

extension PyViewPeer {
    func runFailures(_ cases: CaseList) async {
        await cases.run("an event without a reply") {
            try await withView { client, view, _ in
                do {
                    try await view.send(Unknown(), timeout: .milliseconds(200))
                    throw CaseFailure("it had a reply")
                } catch SocketCommandError.failed(let error) {
                    try expect(error.mayHaveArrived, "\(error)")
                }
                let reply = try await view.send(PageEvent(event: "add", value: ["by": "1"]))
                try expect(reply["diff"]?["0"]?.stringValue, is: "1")
            }
        }
        await cases.run("an event at which the server crashes") {
            let page = try await page()
            try await client().withConnection { client in
                let view = try await client.join(page.topic) { page.join }
                _ = try await server.program.line(beginning: "mounted")
                do {
                    try await view.send(PageEvent(event: "crash"))
                    throw CaseFailure("it had a reply")
                } catch SocketCommandError.failed(let error) {
                    try expect(error.mayHaveArrived, "\(error)")
                }
                // The view has been joined again.
                let reply = try await view.send(PageEvent(event: "add", value: ["by": "1"]))
                try expect(reply["diff"]?["0"]?.stringValue, is: "1")
            }
        }
        await cases.run("a join at which the server crashes, until it is cancelled") {
            let page = try await page()
            var lost = page.join
            lost.url = "http://127.0.0.1/nowhere"
            try await client().withConnection { [lost] client in
                var states = client.states.makeAsyncIterator()
                let join = Task { try await client.join(page.topic) { lost } }
                // The join's payload is requested on each connection.
                for _ in 1...3 { while let state = try await states.next(), !"\(state)".hasPrefix("waiting") {} }
                join.cancel()
                if case .success = await join.result { throw CaseFailure("it was joined") }
                let view = try await client.join(page.topic) { page.join }
                let reply = try await view.send(PageEvent(event: "add", value: ["by": "1"]))
                try expect(reply["diff"]?["0"]?.stringValue, is: "1")
            }
        }
    }

    func beats() async throws {
        let often: (inout SocketClient.Configuration) -> Void = { $0.heartbeatInterval = .milliseconds(300) }
        try await withView(often) { client, view, _ in
            let states = client.states
            // A connection without a response between two heartbeats would end.
            try await Task.sleep(for: .seconds(2))
            try expect(client.state.isOpen, "the session is \(client.state)")
            try await view.send(PageEvent(event: "add", value: ["by": "1"]))
            client.close()
            let all = try await states.reduce(into: []) { $0.append("\($1)") }
            try expect(all.allSatisfy { $0 == "open" || $0 == "closed" }, "\(all)")
        }
    }

    /// An event that is sent while there is no server goes to the next server, after the join.
    func waits(_ peers: PeerFolder) async throws {
        let page = try await page()
        try await client().withConnection { client in
            let view = try await client.join(page.topic) { page.join }
            server.program.kill()
            try await client.wait(for: "waiting")
            let event = Task { try await view.send(PageEvent(event: "add", value: ["by": "3"])) }
            let again = try await ForeignServer.start(peers, "pyview_server.py", port: server.port)
            try expect(try await event.value["diff"]?["0"]?.stringValue, is: "3")
            again.program.kill()
        }
    }

    func outlives(_ peers: PeerFolder) async throws {
        let page = try await page()
        try await client().withConnection { client in
            let view = try await client.join(page.topic) { page.join }
            var events = view.events().makeAsyncIterator()
            try await view.send(PageEvent(event: "add", value: ["by": "7"]))
            server.program.kill()
            guard case .interrupted? = try await events.next() else { throw CaseFailure("it was not interrupted") }
            let again = try await ForeignServer.start(peers, "pyview_server.py", port: server.port)
            guard case .joining? = try await events.next(),
                case .joined(_, missed: .unknown)? = try await events.next()
            else {
                throw CaseFailure("it was not joined again")
            }
            _ = try await again.program.line(beginning: "mounted")
            // The view of another process starts from the beginning.
            let reply = try await view.send(PageEvent(event: "add", value: ["by": "1"]))
            try expect(reply["diff"]?["0"]?.stringValue, is: "1")
        }
    }
}
#endif

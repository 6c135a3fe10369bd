import Foundation
import NetCore
import NetTesting
import Testing

@testable import NetStore

/// Several processes with one outbox.
@Suite(.timeLimit(.minutes(2)))
struct OutboxProcessTests {
    @Test func `two processes add and send together`() async throws {
        let folder = try TemporaryFolder()
        let server = try await ActServer.start(folder.file("server.sqlite"))
        let (file, count) = (folder.file("outbox.sqlite"), 100)
        let workers = try [0, 1000].map { first in
            try ChildProcess(
                Command.product("outbox-worker"),
                ["add", file, server.url, folder.file("acknowledged-\(first)"), "\(first)", "\(count)", "0"])
        }
        for worker in workers { #expect(await worker.end() == 0) }
        let acts = try server.acts()
        #expect(acts.count == 2 * count)
        #expect(Set(acts.map(\.number)).count == 2 * count)
        #expect(Set(acts.map(\.token)).count == 2 * count)
        for line in Set(acts.map(\.line)) {
            for numbers in [0..<1000, 1000..<2000] {
                let inLine = acts.filter { $0.line == line && numbers.contains($0.number) }.map(\.number)
                #expect(inLine == inLine.sorted())
                #expect(inLine.count == count / 5)
            }
        }
        #expect(try Command.sqlite(file, "SELECT items, bytes FROM outbox_total") == "0|0")
        await server.kill()
    }

    @Test func `a process notices what another one adds, retries and drops`() async throws {
        let folder = try TemporaryFolder(inMemory: true)
        let sender = try OutboxPeer(folder: folder) { received, number in
            .init(status: received.body == "bad" && number == 1 ? .badRequest : .ok)
        }
        let other = try Outbox(path: sender.outbox.path)
        try await sender.sending {
            let request = { Request<Void>("a", method: .post, body: .text($0)) }
            let bad = try await other.add(request("bad"), orderKey: "a")
            #expect(try await other.outcome(of: bad).item.parkReason == .refused)
            let dropped = try await other.add(request("dropped"), orderKey: "a")
            let last = try await other.add(request("last"), orderKey: "a")
            try await other.drop(dropped)
            try await other.retry(bad)
            #expect(try await other.outcome(of: last).item.state == .completed)
            try await other.waitUntilIdle()
        }
        #expect(sender.received.map(\.body) == ["bad", "bad", "last"])
        await other.close()
        await sender.outbox.close()
    }
}

import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetStore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// An outbox sends the items of a named user only as that user.
@Suite(.timeLimit(.minutes(10))) struct IdentityOutboxTests {
    private typealias Mismatch = IdentityWorld.Mismatch

    private func item(_ user: String?) -> Request<Void> {
        Request<Void>("pay", method: .post, options: RequestOptions { $0.identity = user.map { .named($0) } })
    }

    private func outbox(_ world: IdentityWorld, _ folder: TemporaryFolder) throws -> Outbox {
        try Outbox(path: folder.path("outbox.sqlite"), configuration: .init { $0.clock = world.clock.netClock })
    }

    private func wait(_ outbox: Outbox, for ids: [OutboxItem.ID]) async throws {
        for id in ids { _ = try await outbox.outcome(of: id) }
    }

    @Test func items() async {
        await IdentityWorld.each("an outbox", stores: [.memory]) { world in
            try await TemporaryFolder.with { folder in
                let outbox = try outbox(world, folder)
                let held = try await outbox.add(item("ann"), orderKey: "a")
                let behind = try await outbox.add(item(nil), orderKey: "a")
                let free = try await outbox.add(item(nil), orderKey: "b")
                let bobs = try await outbox.add(item("bob"))
                let user = IdentityUser("bob", named: true)
                let client = world.client([AuthMiddleware(user.tokens), RetryMiddleware(), CompressionMiddleware()])
                let sender = Task { try await outbox.run(through: client) }
                try await wait(outbox, for: [free, bobs])
                try world.expect(writes: ["bob", "bob"])
                for id in [held, behind] {
                    let state = try await outbox.item(id: id)?.state
                    guard state == .queued else { throw Mismatch(description: "\(id) is \(String(describing: state))") }
                }
                guard try await outbox.item(id: held)?.isOwned == true else { throw Mismatch(description: "not owned") }
                try await user.become("ann", named: true)
                try await world.clock.waitForSleepers(count: 1)
                await world.clock.advance(by: .seconds(5))
                try await wait(outbox, for: [held, behind])
                try world.expect(writes: ["bob", "bob", "ann", "ann"])
                sender.cancel()
                try await sender.value
                await outbox.close()
            }
        }
        await IdentityWorld.each("an outbox that sends as a name", stores: [.memory]) { world in
            try await TemporaryFolder.with { folder in
                let outbox = try outbox(world, folder)
                let (anns, bobs) = (try await outbox.add(item("ann")), try await outbox.add(item("bob")))
                let client = world.client([AuthMiddleware(try .bearer("ann-1")), RetryMiddleware()])
                let sender = Task { try await outbox.run(through: client, as: "ann") }
                try await wait(outbox, for: [anns])
                try world.expect(writes: ["ann"])
                let state = try await outbox.item(id: bobs)?.state
                guard state == .queued else { throw Mismatch(description: "\(String(describing: state))") }
                sender.cancel()
                try await sender.value
                await outbox.close()
            }
        }
        await IdentityWorld.each("an outbox's user changes in a rate limit", stores: [.memory]) { world in
            try await TemporaryFolder.with { folder in
                let outbox = try outbox(world, folder)
                let user = IdentityUser("ann", named: true)
                let client = world.client([
                    AuthMiddleware(user.tokens), RetryMiddleware(), RateLimitMiddleware(rate: 0.1),
                ])
                try await world.expect("ann", from: client)
                let id = try await outbox.add(item("ann"))
                let sender = Task { try await outbox.run(through: client) }
                while try await outbox.item(id: id)?.state != .sending { try await Task.sleep(for: .milliseconds(1)) }
                try await world.clock.waitForSleepers(count: 1)
                try await user.become("bob", named: true)
                await world.clock.advance(by: .seconds(11))
                while try await outbox.item(id: id)?.state != .queued { try await Task.sleep(for: .milliseconds(1)) }
                try world.expect(writes: [])
                try await user.become("ann", named: true)
                await world.clock.advance(by: .seconds(60))
                await world.clock.advance(by: .seconds(60))
                try await wait(outbox, for: [id])
                try world.expect(writes: ["ann"])
                sender.cancel()
                try await sender.value
                await outbox.close()
            }
        }
    }

    @Test func anIdentityWithoutANameIsRefused() async throws {
        try await TemporaryFolder.with { folder in
            let outbox = try Outbox(path: folder.path("outbox.sqlite"))
            let request = Request<Void>("pay", method: .post).with { $0.identity = .unique() }
            let error = await #expect(throws: OutboxError.self) { try await outbox.add(request) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains(".named") == true)
            let id = try await outbox.add(Request<Void>("pay", method: .post).with { $0.identity = .everyone })
            let item = try await outbox.item(id: id)
            #expect(item?.isOwned == false)
            await outbox.close()
        }
    }
}

import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetSocket
import NetStore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// Work that consists of several calls, and outlasts a user.
@Suite(.timeLimit(.minutes(10))) struct IdentityLastingTests {
    private typealias Mismatch = IdentityWorld.Mismatch

    /// Each attempt to send is made by a client with the middleware of most cases.
    private func client(_ world: IdentityWorld, _ user: IdentityUser) -> HTTPClient {
        world.client([AuthMiddleware(user.tokens), RetryMiddleware(), CompressionMiddleware()])
    }

    private func manager(_ client: HTTPClient, _ folder: String) -> DownloadManager {
        var configuration = DownloadManager.Configuration(folder: folder)
        configuration.keepsFree = 0
        return DownloadManager(client: client, configuration: configuration)
    }

    private func text(_ manager: DownloadManager, _ id: UUID) async throws -> String {
        try String(contentsOfFile: try await manager.file(of: id).path, encoding: .utf8)
    }

    @Test func downloads() async {
        for pauses in [true, false] {
            await IdentityWorld.each("a \(pauses ? "paused" : "waiting") download", stores: [.memory]) { world in
                try await TemporaryFolder.with { folder in
                    let user = IdentityUser("ann")
                    let manager = manager(client(world, user), folder.path("files"))
                    world.site.busy.change { $0 = 1 }
                    let id = try await manager.enqueue(DownloadRequest("https://site.test/me"))
                    try await manager.waitForFailure(of: id)
                    if pauses { try await manager.pause(id) }
                    try await user.become("bob")
                    if pauses {
                        try await manager.resume(id)
                    } else {
                        // The next attempt, and the report of the speed.
                        try await world.clock.waitForSleepers(count: 2)
                        await world.clock.advance(by: .seconds(60))
                    }
                    do {
                        throw Mismatch(description: "\(try await text(manager, id)) instead of an error")
                    } catch let error as DownloadError {
                        guard error.code == .authentication else { throw error }
                    }
                    let own = try await manager.enqueue(DownloadRequest("https://site.test/me?mine"))
                    let text = try await text(manager, own)
                    guard text == "data of bob" else { throw Mismatch(description: text) }
                    await manager.shutdown()
                }
            }
        }
        await IdentityWorld.each("a restored download waits for its user", stores: [.memory]) { world in
            try await TemporaryFolder.with { folder in
                let (user, path) = (IdentityUser("ann", named: true), folder.path("files"))
                let first = manager(client(world, user), path)
                world.site.busy.change { $0 = 1 }
                let id = try await first.enqueue(DownloadRequest("https://site.test/me"))
                try await first.waitForFailure(of: id)
                await first.shutdown()
                let other = IdentityUser("bob", named: true)
                let second = manager(client(world, other), path)
                try await second.restore()
                // Another download passes it.
                let own = try await second.enqueue(DownloadRequest("https://site.test/me?mine"))
                let bobs = try await text(second, own)
                guard bobs == "data of bob" else { throw Mismatch(description: bobs) }
                await world.clock.advance(by: .seconds(20))
                let task = second.tasks.first { $0.id == id }
                guard task?.state == .waiting, task?.error?.code == .authentication else {
                    throw Mismatch(description: "\(String(describing: task))")
                }
                try await other.become("ann", named: true)
                try await world.clock.waitForSleepers(count: 1)
                await world.clock.advance(by: .seconds(5))
                let anns = try await text(second, id)
                guard anns == "data of ann" else { throw Mismatch(description: anns) }
                await second.shutdown()
            }
        }
    }

    @Test func uploads() async {
        await IdentityWorld.each("a paused upload", stores: [.memory]) { world in
            try await TemporaryFolder.with { folder in
                let user = IdentityUser("ann")
                let manager = manager(client(world, user), folder.path("files"))
                let path = folder.path("file")
                try Data("text".utf8).write(to: URL(fileURLWithPath: path))
                let request = UploadRequest(path, to: "https://site.test/file", protocol: .plain, method: .put)
                world.site.busy.change { $0 = 1 }
                let id = try await manager.enqueue(request)
                try await manager.waitForFailure(of: id)
                try await manager.pause(id)
                try await user.become("bob")
                try await manager.resume(id)
                do {
                    _ = try await manager.uploadedFile(of: id)
                    throw Mismatch(description: "the upload went on")
                } catch let error as DownloadError {
                    guard error.code == .authentication else { throw error }
                }
                try world.expect(writes: [])
                _ = try await manager.uploadedFile(of: try await manager.enqueue(request))
                try world.expect(writes: ["bob"])
                await manager.shutdown()
            }
        }
    }

    @Test func eventSources() async {
        await IdentityWorld.each("an event source that reconnects", stores: [.memory]) { world in
            let user = IdentityUser("ann")
            let site = MockTransport { request, _ in
                let token = request.head.headerFields[.authorization] ?? "nobody"
                var response = StubResponse.text("data: \(token)\n\n")
                response.headers[.contentType] = "text/event-stream"
                return response
            }
            let client = HTTPClient(baseURL: "https://site.test", transport: site) {
                $0.middleware = world.order.arrange([AuthMiddleware(user.tokens), RetryMiddleware()])
                $0.clock = world.clock.netClock
                $0.timeouts = Timeouts(firstByte: nil, stall: nil, total: nil)
            }
            let events = Locked<[String]>([])
            let reader = Task { () async throws -> Void in
                for try await event in EventSource("events", client: client) { events.change { $0.append(event.data) } }
            }
            /// Waits for events, then until the source waits for the next connection.
            func read(_ count: Int) async throws {
                while events.value.count < count { try await Task.sleep(for: .milliseconds(1)) }
                try await world.clock.waitForSleepers(count: 1)
            }
            try await read(1)
            try await user.renew()
            await world.clock.advance(by: .seconds(60))
            try await read(2)
            try await user.become("bob")
            await world.clock.advance(by: .seconds(60))
            guard case .failure(let error as NetError) = await reader.result else {
                throw Mismatch(description: "\(events.value) instead of an error")
            }
            guard error.code == .authentication else { throw error }
            guard Set(events.value.map { $0.prefix { $0 != "-" } }) == ["Bearer ann"],
                events.value.contains("Bearer ann-2")
            else { throw Mismatch(description: "\(events.value)") }
        }
    }

    private struct Say: SocketPush {
        static let event = "say"
        var text: String
    }

    @Test func sessions() async {
        for renews in [true, false] {
            await IdentityWorld.each("a session's queue, \(renews ? "renewed" : "forgotten")", stores: [.memory]) {
                world in
                let user = IdentityUser("ann")
                let transport = MockWebSocketTransport([.echo()])
                var configuration = WebSocketClient.Configuration()
                configuration.middleware = world.order.arrange([
                    AuthMiddleware(user.tokens, scope: .everywhereEvenAfterRedirects), RetryMiddleware(),
                ])
                configuration.clock = world.clock.netClock
                let client = SocketClient(
                    "wss://site.test/echo", client: WebSocketClient(configuration: configuration, transport: transport))
                client.start()
                for try await state in client.states { if case .open = state { break } }
                client.pause()
                let queued = Task { try await client.notify(Say(text: "by ann")) }
                if renews { try await user.renew() } else { try await user.become("bob") }
                client.resume()
                if renews {
                    for try await state in client.states { if case .open = state { break } }
                    try await queued.value
                } else {
                    do {
                        for try await _ in client.states {}
                        throw Mismatch(description: "the session went on")
                    } catch let error as NetError {
                        guard error.code == .authentication else { throw error }
                    }
                    guard case .failure = await queued.result else {
                        throw Mismatch(description: "the command was sent")
                    }
                }
                let tokens = transport.requests.compactMap { $0.head.headerFields[.authorization] }
                guard tokens == ["Bearer ann-1"] + (renews ? ["Bearer ann-2"] : []) else {
                    throw Mismatch(description: "\(tokens)")
                }
                client.close()
            }
        }
    }
}

extension DownloadManager {
    /// Waits until an attempt of a task has failed, and another one will follow.
    fileprivate func waitForFailure(of id: UUID) async throws {
        while !tasks.contains(where: { $0.id == id && $0.error != nil && $0.state == .waiting }) {
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}

#if Redis && os(Linux)
import NetCore
@testable import NetSocketServer
import TestSupport
import Testing

/// Brokers that are running but don't work.
@Suite(.enabled(if: RedisServerProcess.program.path != nil), .timeLimit(.minutes(2)))
struct RedisOutageTests {
    private static let kept = FanOutRetention(count: 1000)

    private func with(
        _ broker: RedisServerProcess, _ change: (inout RedisFanOut.Configuration) -> Void = { _ in },
        _ body: (RedisFanOut, FanOutInbox) async throws -> Void
    ) async throws {
        var configuration = RedisFanOut.Configuration(
            outage: .fail, connectTimeout: .seconds(60), commandTimeout: .seconds(60),
            backoff: .constant(.milliseconds(20)))
        change(&configuration)
        let (engine, inbox) = (try RedisFanOut(broker.url, configuration), FanOutInbox())
        try await engine.open(as: "a") { inbox.add($0) }
        try await engine.subscribe(to: "room")
        do { try await body(engine, inbox) } catch {
            await engine.close()
            throw error
        }
        await engine.close()
    }

    /// Publishes, and returns the error.
    private func failure(_ engine: RedisFanOut, _ name: String = "lost") async -> NetError? {
        do throws(NetError) {
            _ = try await engine.publish(.sample(name, id: name), keeping: Self.kept)
            return nil
        } catch {
            return error
        }
    }

    @Test func `A broker that is silent is left, and found again`() async throws {
        try await RedisServerProcess.with { broker in
            try await with(broker) {
                $0.outage = .wait(.seconds(60))
                $0.commandTimeout = .seconds(1)
                $0.heartbeat = .milliseconds(500)
            } _: { engine, inbox in
                broker.pause()
                async let position = engine.publish(.sample("one", id: "1"), keeping: Self.kept)
                let others = await inbox.others { $0.contains { $0.isAway } }
                guard case .away(let reason)? = others.first(where: \.isAway) else { return }
                #expect(reason.contains("has not replied"))
                broker.resume()
                _ = await inbox.others { $0.contains(.back) }
                // It may already have arrived the first time.
                #expect(try await position.offset == 1)
                _ = try await engine.publish(.sample("two", id: "2"), keeping: Self.kept)
                #expect(await inbox.events(2) == ["one", "two"])
            }
        }
    }

    @Test func `A broker without memory refuses to publish, and stays connected`() async throws {
        try await RedisServerProcess.with { broker in
            try await with(broker) {
                $0.lease = .milliseconds(600)
            } _: { engine, inbox in
                try await broker.command("CONFIG", "SET", "maxmemory", "1")
                let error = await failure(engine)
                #expect(error?.code == .limited)
                #expect(error?.message.contains("maxmemory") == true)
                // Everything except publishing continues.
                let ada = PresenceMember(key: "ada", connection: "1", node: "a")
                try await engine.enter(ada, in: "room")
                try await engine.subscribe(to: "other")
                let lease = try await broker.command("ZSCORE", "swift-net:servers", "a").text
                var renewed = lease
                while renewed == lease { renewed = try await broker.command("ZSCORE", "swift-net:servers", "a").text }
                #expect(renewed != nil)
                #expect(try await engine.members(of: "room") == [ada])
                try await broker.command("CONFIG", "SET", "maxmemory", "0")
                _ = try await engine.publish(.sample("one"), keeping: Self.kept)
                #expect(await inbox.events(1) == ["one"])
                #expect(!inbox.others.contains { $0.isAway })
            }
        }
    }

    @Test func `A broker that has become a replica is away until it is a primary again`() async throws {
        try await RedisServerProcess.with { broker in
            try await with(broker) { engine, inbox in
                try await broker.command("REPLICAOF", "127.0.0.1", "1")
                let error = await failure(engine)
                #expect(error?.underlying is FanOutUnavailable)
                let others = await inbox.others { $0.contains { $0.isAway } }
                guard case .away(let reason)? = others.first(where: \.isAway) else { return }
                #expect(reason.contains("replica"))
                try await broker.command("REPLICAOF", "NO", "ONE")
                _ = await inbox.others { $0.contains(.back) }
                _ = try await engine.publish(.sample("one"), keeping: Self.kept)
                #expect(await inbox.events(1) == ["one"])
            }
        }
    }

    @Test func `A broker that can't be used is told when the engine opens`() async throws {
        func expect(_ code: NetError.Code, _ url: String, _ words: String) async throws {
            let engine = try RedisFanOut(url, RedisFanOut.Configuration(connectTimeout: .seconds(60)))
            do throws(NetError) {
                try await engine.open(as: "a") { _ in }
                Issue.record("it opened")
            } catch {
                #expect(error.code == code, "\(error)")
                #expect(error.message.contains(words), "\(error)")
            }
            await engine.close()
        }
        try await expect(.connect, "redis://127.0.0.1:1", "127.0.0.1:1")
        try await RedisServerProcess.with("--requirepass", "secret") { broker in
            try await expect(.authentication, broker.url, "password")
        }
        try await RedisServerProcess.with("--cluster-enabled", "yes") { broker in
            try await expect(.unsupported, broker.url, "cluster")
        }
        try await FakeBroker.with { _ in
            "+OK\r\n"
        } body: { broker in
            try await expect(.protocolViolation, broker.url, "run_id")
        }
        try await FakeBroker.with { _ in
            "!nonsense\r\n"
        } body: { broker in
            try await expect(.protocolViolation, broker.url, "\(broker.port)")
        }
    }

    @Test func `A user needs no more permissions than the docs say`() async throws {
        try await RedisServerProcess.with { broker in
            try await broker.command(
                "ACL", "SETUSER", "net", "on", ">p", "resetkeys", "resetchannels", "-@all", "~swift-net:*",
                "&swift-net:*", "+@read", "+@write", "+@pubsub", "+@scripting", "+@connection", "+time", "+info",
                "+config|get")
            let inbox = FanOutInbox()
            let engine = try RedisFanOut(
                "redis://net:p@127.0.0.1:\(broker.port)", RedisFanOut.Configuration(connectTimeout: .seconds(60)))
            try await engine.open(as: "a") { inbox.add($0) }
            try await engine.subscribe(to: "room")
            let ada = PresenceMember(key: "ada", connection: "1", node: "a")
            try await engine.enter(ada, in: "room")
            let position = try await engine.publish(.sample("one"), keeping: Self.kept)
            #expect(await inbox.events(1) == ["one"])
            #expect(try await engine.history(of: "room", after: nil).position == position)
            #expect(try await engine.members(of: "room") == [ada])
            try await engine.leave(ada, from: "room")
            try await engine.unsubscribe(from: "room")
            await engine.close()
            #expect(try await broker.command("KEYS", "swift-net:servers").array?.isEmpty == true)
        }
    }

    @Test func `Scripts whose replies make no sense are errors`() async throws {
        let info = "run_id:1\r\nrole:master\r\n"
        try await FakeBroker.with { command in
            switch command {
            case "INFO": .say("$\(info.utf8.count)\r\n\(info)\r\n")
            case "SCRIPT": "$1\r\nx\r\n"
            case "EVALSHA": ":7\r\n"
            default: "+OK\r\n"
            }
        } body: { broker in
            let engine = try RedisFanOut(broker.url, RedisFanOut.Configuration(connectTimeout: .seconds(60)))
            do throws(NetError) {
                try await engine.open(as: "a") { _ in }
                Issue.record("it opened")
            } catch {
                #expect(error.code == .protocolViolation)
            }
        }
    }
}
#endif

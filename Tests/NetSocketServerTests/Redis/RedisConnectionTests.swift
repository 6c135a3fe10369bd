#if Redis && os(Linux)
import NIOCore
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetSocketServer

/// Tests with a real broker.
@Suite(.timeLimit(.minutes(5)), .enabled(if: RedisServerProcess.program.path != nil))
struct RedisConnectionTests {
    @Test func `Commands are answered, with any bytes`() async throws {
        try await RedisServerProcess.with { server in
            let link = try await RedisLink.open(server) { $0.name = "here" }
            #expect(try await link.call("SET", "a", "1") == .status("OK"))
            #expect(try await link.call("INCR", "a") == .integer(2))
            #expect(try await link.call("GET", "nothing") == .null)
            #expect(try await link.call("MGET", "a", "nothing").array == [.bytes(Bytes("2".utf8)), .null])
            #expect(try await link.call("CLIENT", "GETNAME").text == "here")
            let large = Bytes((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            #expect(try await link.connection.call(RedisCommand("SET", [Bytes("b".utf8), large])) == .status("OK"))
            #expect(try await link.call("GET", "b").bytes == large)
            try await link.close()
            #expect(link.ends.value.first?.code == .shutdown)
        }
    }

    @Test func `Ten thousand commands from the loop and from other threads are answered in order`() async throws {
        try await RedisServerProcess.with { server in
            let link = try await RedisLink.open(server)
            let replies = Locked<[Int64]>([])
            let add: RedisConnection.Completion = { result in
                let number = (try? result.get())?.integer ?? -1
                replies.change { $0.append(number) }
            }
            try await link.onLoop { connection in
                for _ in 0..<10_000 { connection.send(RedisCommand("INCR", "loop"), add) }
            }
            try await link.call("PING")
            #expect(replies.value == Array(1...10_000))
            replies.change { $0 = [] }
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<2500 { link.connection.send(RedisCommand("INCR", "threads"), add) }
                    }
                }
            }
            await link.wait { replies.value.count == 10_000 }
            #expect(replies.value == Array(1...10_000))
            #expect(try await link.pending() == 0)
            try await link.close()
        }
    }

    @Test func `Messages of subscribed channels arrive in order`() async throws {
        try await RedisServerProcess.with { server in
            let (subscriber, publisher) = (try await RedisLink.open(server), try await RedisLink.open(server))
            let last = try await subscriber.call("SUBSCRIBE", "a", "b", "c", confirmations: 3)
            #expect(last.array?.last == .integer(3))
            for number in 1...500 {
                for channel in ["a", "b"] {
                    publisher.connection.send(RedisCommand("PUBLISH", channel, "\(number)")) { _ in }
                }
            }
            #expect(try await publisher.call("PUBLISH", "d", "nobody") == .integer(0))
            await subscriber.wait { subscriber.messages.value.count == 1000 }
            #expect(subscriber.messages.value == (1...500).flatMap { ["a: \($0)", "b: \($0)"] })
            // In this mode, the reply to PING is an array.
            #expect(try await subscriber.call("PING").array?.first?.text == "pong")
            try await subscriber.call("UNSUBSCRIBE", "a", "b", confirmations: 2)
            #expect(try await publisher.call("PUBLISH", "a", "x") == .integer(0))
            try await subscriber.call("UNSUBSCRIBE", "c")
            #expect(try await subscriber.call("PING").text == "PONG")
            // Without a subscription, an array that looks like a message is a reply.
            #expect(try await subscriber.call("EVAL", "return {'message', 'a', 'b'}", "0").array?.count == 3)
            #expect(subscriber.messages.value.count == 1000)
            try await subscriber.close()
            try await publisher.close()
        }
    }

    @Test func `A password is needed, and has to be right`() async throws {
        try await RedisServerProcess.with("--requirepass", "ge heim/@") { server in
            let host = "127.0.0.1:\(server.port)"
            let link = try await RedisLink.open("redis://:ge%20heim%2F%40@\(host)")
            try await link.call("ACL", "SETUSER", "ann", "on", ">secret", "~a*", "&*", "+get", "+subscribe")
            let none = await RedisLink.failure("redis://\(host)")
            #expect(none?.code == .authentication)
            #expect(none?.phase == .connecting)
            #expect(none?.message.contains("requires a password") == true)
            let wrong = await RedisLink.failure("redis://:nix@\(host)")
            #expect(wrong?.code == .authentication)
            #expect(wrong?.message.contains("nix") == false)
            #expect(await RedisLink.failure("redis://bob:secret@\(host)")?.code == .authentication)
            let ann = try await RedisLink.open("redis://ann:secret@\(host)")
            #expect(try await ann.call("GET", "a") == .null)
            let denied = await #expect(throws: NetError.self) { try await ann.call("GET", "b") }
            #expect(denied?.code == .authentication)
            #expect(denied?.message.contains("permit") == true)
            try await ann.close()
            try await link.close()
        }
        try await RedisServerProcess.with { server in
            let error = await RedisLink.failure("redis://:nix@127.0.0.1:\(server.port)")
            #expect(error?.code == .authentication)
        }
    }

    @Test func `A database is selected, and has to exist`() async throws {
        try await RedisServerProcess.with { server in
            let host = "127.0.0.1:\(server.port)"
            let first = try await RedisLink.open("redis://\(host)")
            let third = try await RedisLink.open("redis://\(host)/3")
            try await third.call("SET", "a", "3")
            #expect(try await first.call("GET", "a") == .null)
            #expect(try await third.call("GET", "a").integer == 3)
            let error = await RedisLink.failure("redis://\(host)/99")
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("no database 99") == true)
            try await first.close()
            try await third.close()
        }
    }

    @Test func `An error reply is a value for a completion, and is thrown by a call`() async throws {
        try await RedisServerProcess.with("--maxmemory", "2mb", "--maxmemory-policy", "noeviction") { server in
            let link = try await RedisLink.open(server)
            let replies = Locked<[RedisValue?]>([])
            link.connection.send(RedisCommand("NIX", "secret")) { result in
                replies.change { $0.append(try? result.get()) }
            }
            let full = await #expect(throws: NetError.self) {
                let text = String(repeating: "x", count: 100_000)
                for number in 0..<100 { try await link.call("SET", "\(number)", text) }
            }
            #expect(full?.code == .limited)
            #expect(full?.message.contains("maxmemory") == true)
            #expect(replies.value == [.error(RedisError("ERR unknown command 'NIX'"))])
            let script = await #expect(throws: NetError.self) {
                try await link.call("EVALSHA", String(repeating: "0", count: 40), "0")
            }
            #expect((script?.underlying as? RedisError)?.kind == "NOSCRIPT")
            // A rejected subscription is one error, regardless of the number of its channels.
            let denied = await #expect(throws: NetError.self) { try await link.call("SUBSCRIBE", confirmations: 3) }
            #expect((denied?.underlying as? RedisError)?.kind == "ERR")
            #expect(try await link.call("PING").text == "PONG")
            try await link.close()
        }
    }

    @Test func `A broker with as many connections as it may have refuses one more`() async throws {
        try await RedisServerProcess.with("--maxclients", "2") { server in
            let (first, second) = (try await RedisLink.open(server), try await RedisLink.open(server))
            for user in ["", ":password@"] {
                let error = await RedisLink.failure("redis://\(user)127.0.0.1:\(server.port)")
                #expect(error?.code == .connect)
                #expect(error?.message.contains("maxclients") == true)
            }
            try await first.close()
            try await second.close()
        }
    }

    @Test func `A replica that takes no writes says so`() async throws {
        let port = try Listener.freePort()
        try await RedisServerProcess.with("--replicaof", "127.0.0.1 \(port)") { server in
            let link = try await RedisLink.open(server)
            let error = await #expect(throws: NetError.self) { try await link.call("SET", "a", "1") }
            #expect(error?.isConnectivity == true)
            #expect(error?.message.contains("primary") == true)
            try await link.close()
        }
    }

    @Test func `A cancelled call throws immediately, and later replies belong to later calls`() async throws {
        try await RedisServerProcess.with { server in
            let link = try await RedisLink.open(server)
            server.pause()
            let first = Task { () throws(NetError) in try await link.connection.call(RedisCommand("ECHO", "first")) }
            try await link.wait { try await link.pending() == 1 }
            first.cancel()
            let result = await first.result
            let error = #expect(throws: NetError.self) { try result.get() }
            #expect(error?.code == .cancelled)
            #expect(error?.phase == .receiving)
            // A command that is cancelled before it is written isn't sent.
            let second = Task { () throws(NetError) in
                withUnsafeCurrentTask { $0?.cancel() }
                return try await link.connection.call(RedisCommand("ECHO", "second"))
            }
            let unwritten = await second.result
            #expect(#expect(throws: NetError.self) { try unwritten.get() }?.phase == .sending)
            let third = Task { try await link.connection.call(RedisCommand("ECHO", "third")) }
            try await link.wait { try await link.pending() == 2 }
            server.resume()
            #expect(try await third.value.text == "third")
            #expect(try await link.call("ECHO", "fourth").text == "fourth")
            #expect(try await link.pending() == 0)
            try await link.close()
        }
    }

    @Test func `When the broker is killed, waiting commands fail and the owner is told once`() async throws {
        let server = try await RedisServerProcess.start()
        let link = try await RedisLink.open(server)
        server.pause()
        let errors = Locked<[NetError]>([])
        let endsSeen = Locked(0)
        let add: RedisConnection.Completion = { result in
            guard case .failure(let error) = result else { return }
            errors.change { $0.append(error) }
            endsSeen.change { $0 += link.ends.value.count }
        }
        for _ in 0..<10 { link.connection.send(RedisCommand("PING"), add) }
        try await link.wait { try await link.pending() == 10 }
        try await server.stop()
        #expect(await link.waitForEnd()?.code == .connectionLost)
        #expect(errors.value.count == 10)
        #expect(errors.value.allSatisfy { $0.code == .connectionLost && $0.phase == .receiving })
        #expect(endsSeen.value == 0)
        let late = await #expect(throws: NetError.self) { try await link.call("PING") }
        #expect(late?.code == .connectionLost)
        #expect(late?.phase == .sending)
        try await link.close()
        let refused = await RedisLink.failure("redis://127.0.0.1:\(server.port)")
        #expect(refused?.code == .connect)
        #expect(refused?.message.contains("127.0.0.1:\(server.port)") == true)
    }

    @Test func `More commands or bytes than may wait are refused, and nothing of them is written`() async throws {
        try await RedisServerProcess.with { server in
            let link = try await RedisLink.open(server) {
                $0.maximumPendingCommands = 5
                $0.maximumPendingBytes = 2000
            }
            server.pause()
            let results = Locked<[String]>([])
            let add: RedisConnection.Completion = { result in
                switch result {
                case .success(let value): results.change { $0.append(value.text ?? "?") }
                case .failure(let error): results.change { $0.append("\(error.code) \(error.phase)") }
                }
            }
            let text = String(repeating: "x", count: 1800)
            link.connection.send(RedisCommand("ECHO", text), add)
            link.connection.send(RedisCommand("ECHO", text), add)
            for number in 1...5 { link.connection.send(RedisCommand("ECHO", "\(number)"), add) }
            link.connection.send(RedisCommand("ECHO", String(repeating: "x", count: 3000)), add)
            try await link.wait { try await link.onLoop { _ in results.value.count } == 3 }
            #expect(results.value == Array(repeating: "limited sending", count: 3))
            server.resume()
            await link.wait { results.value.count == 8 }
            #expect(results.value.dropFirst(3) == [text, "1", "2", "3", "4"])
            #expect(try await link.call("ECHO", "after").text == "after")
            try await link.close()
        }
    }

    @Test func `Written values survive a kill if the broker always syncs`() async throws {
        try await RedisServerProcess.with("--appendonly", "yes", "--appendfsync", "always") { server in
            let first = try await RedisLink.open(server)
            try await first.call("SET", "a", "1")
            try await server.restart()
            #expect(await first.waitForEnd()?.code == .connectionLost)
            let second = try await RedisLink.open(server)
            #expect(try await second.call("GET", "a").integer == 1)
            try await second.call("SET", "a", "2")
            try await server.stopGracefully()
            try await server.restart()
            let third = try await RedisLink.open(server)
            #expect(try await third.call("GET", "a").integer == 2)
            try await third.close()
        }
    }
}
#endif

#if Redis && os(Linux)
import NIOCore
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetSocketServer

/// A connection ends properly, regardless of the other end's behavior.
@Suite(.timeLimit(.minutes(5))) struct HostileBrokerTests {
    @Test func `A broker that never answers lets the connection time out`() async throws {
        try await FakeBroker.with(answersHandshake: false) { broker in
            let clock = TestClock()
            let opening = Task { await RedisLink.failure(broker.url, clock: clock.netClock) }
            while broker.commands.value.isEmpty, !Task.isCancelled { await Task.yield() }
            try await clock.waitForSleepers(count: 1)
            await clock.advance(by: .seconds(60))
            let error = await opening.value
            #expect(error?.code == .timeout)
            #expect(error?.phase == .connecting)
            #expect(error?.message.contains("within 60.0 s") == true)
            while !broker.isAlone, !Task.isCancelled { await Task.yield() }
        }
    }

    @Test func `A host that accepts no connection times out, and a port without a listener refuses`() async throws {
        let hole = try await offPool { try BlackHole() }
        let slow = await RedisLink.failure("redis://127.0.0.1:\(hole.port)") { $0.connectTimeout = .milliseconds(100) }
        #expect(slow?.code == .timeout)
        hole.stop()
        let refused = await RedisLink.failure("redis://127.0.0.1:\(try Listener.freePort())")
        #expect(refused?.code == .connect)
        #expect(refused?.phase == .connecting)
        let nowhere = await RedisLink.failure("redis://nowhere.invalid")
        #expect(nowhere?.code == .dns)
    }

    @Test func `Cancelled, opening ends and closes the connection`() async throws {
        try await FakeBroker.with(answersHandshake: false) { broker in
            let opening = Task { await RedisLink.failure("redis://:a@127.0.0.1:\(broker.port)") }
            while broker.commands.value.isEmpty, !Task.isCancelled { await Task.yield() }
            opening.cancel()
            #expect(await opening.value?.code == .cancelled)
            while !broker.isAlone, !Task.isCancelled { await Task.yield() }
        }
    }

    @Test func `Cancelled, a connection that isn't accepted is given up`() async throws {
        let hole = try await offPool { try BlackHole() }
        defer { hole.stop() }
        let clock = TestClock()
        let opening = Task { await RedisLink.failure("redis://127.0.0.1:\(hole.port)", clock: clock.netClock) }
        try await clock.waitForSleepers(count: 1)
        opening.cancel()
        #expect(await opening.value?.code == .cancelled)
    }

    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n\r\n", NetError.Code.protocolViolation), ("*4294967296\r\n", .protocolViolation),
        ("-LOADING Redis is loading the dataset in memory\r\n", .connect), ("-DENIED protected mode\r\n", .connect),
        ("-NOAUTH Authentication required.\r\n", .authentication), ("*1000000000\r\n", .bodyTooLarge),
    ])
    func `A wrong answer at the beginning closes the connection`(text: String, code: NetError.Code) async throws {
        try await FakeBroker.with(answersHandshake: false) { _ in
            .say(text)
        } body: { broker in
            let error = await RedisLink.failure(broker.url)
            #expect(error?.code == code, "\(String(describing: error))")
            while !broker.isAlone, !Task.isCancelled { await Task.yield() }
        }
    }

    @Test func `A broker that refuses before it's asked anything is quoted`() async throws {
        try await FakeBroker.with(answersHandshake: false, greeting: "-ERR no room here\r\n") { broker in
            let error = await RedisLink.failure(broker.url)
            #expect(error?.code == .connect)
            #expect(error?.message.contains("no room here") == true)
        }
    }

    @Test func `A connection that is closed at the beginning is an error`() async throws {
        try await FakeBroker.with(answersHandshake: false) { _ in
            .sayAndClose("")
        } body: { broker in
            #expect(await RedisLink.failure(broker.url)?.isConnectivity == true)
        }
    }

    @Test func `A broker that falls silent ends the connection after the command timeout`() async throws {
        try await FakeBroker.with { broker in
            let clock = TestClock()
            let link = try await RedisLink.open(broker.url, clock: clock.netClock)
            let call = Task { try await link.call("GET", "a") }
            try await link.wait { try await link.pending() == 1 }
            await clock.advance(by: .seconds(60))
            try await link.onLoop { $0.check(now: clock.now) }
            #expect(link.ends.value.isEmpty)
            await clock.advance(by: .milliseconds(1))
            try await link.onLoop { $0.check(now: clock.now) }
            #expect(await link.waitForEnd()?.code == .timeout)
            #expect(link.ends.value.first?.message.contains("\(broker.port)/0 has not replied for 60.0 s") == true)
            let error = await #expect(throws: NetError.self) { try await call.value }
            #expect(error?.code == .connectionLost)
            #expect(error?.phase == .receiving)
            #expect((error?.underlying as? NetError)?.code == .timeout)
            while !broker.isAlone, !Task.isCancelled { await Task.yield() }
            try await link.close()
        }
    }

    /// A broker's replies to a GET, and the error with which the connection ends.
    private static let answers: [(String, NetError.Code)] = [
        ("nonsense\r\n", .protocolViolation), ("*4294967296\r\n", .protocolViolation),
        ("*1000000000\r\n", .bodyTooLarge),
        ("*2147483647\r\n", .bodyTooLarge), ("*900000\r\n" + String(repeating: "*900000\r\n", count: 3), .bodyTooLarge),
        (String(repeating: "*1\r\n", count: 10_000), .protocolViolation), ("%1\r\n+a\r\n+b\r\n", .protocolViolation),
        ("+" + String(repeating: "x", count: 1 << 20), .protocolViolation), ("$-9\r\n", .protocolViolation),
        ("$9895604649984\r\n" + String(repeating: "x", count: 2 << 20), .bodyTooLarge),
        // Unsolicited replies.
        ("+OK\r\n+OK\r\n", .protocolViolation),
        ("*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nb\r\n:1\r\n", .protocolViolation),
    ]

    @Test(arguments: answers.indices)
    func `A hostile answer ends the connection, with the reason`(index: Int) async throws {
        let (text, code) = Self.answers[index]
        try await FakeBroker.with { _ in
            .say(text)
        } body: { broker in
            let link = try await RedisLink.open(broker.url) { $0.maximumReplyBytes = 1 << 20 }
            _ = try? await link.call("GET", "a")
            let end = await link.waitForEnd()
            #expect(end?.code == code, "\(String(describing: end))")
            #expect(end?.message.contains(link.connection.address.description) == true)
            while !broker.isAlone, !Task.isCancelled { await Task.yield() }
            try await link.close()
            #expect(link.messages.value.isEmpty)
        }
    }

    @Test(arguments: ["+OK\r\n", "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nb\r\n", "-ERR no\r\n"])
    func `A reply while no command waits ends the connection`(text: String) async throws {
        try await FakeBroker.with { broker in
            let link = try await RedisLink.open(broker.url)
            broker.say(text)
            #expect(await link.waitForEnd()?.code == .protocolViolation)
            try await link.close()
            #expect(link.messages.value.isEmpty)
        }
    }

    @Test(arguments: [
        "+OK\r\n", ":1\r\n", "*3\r\n$11\r\nunsubscribe\r\n$1\r\na\r\n:0\r\n", "*2\r\n$9\r\nsubscribe\r\n$1\r\na\r\n",
        "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n$1\r\n1\r\n", "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nb\r\n",
        "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n*2\r\n$7\r\nmessage\r\n$1\r\na\r\n",
    ])
    func `A wrong confirmation of a subscription ends the connection`(text: String) async throws {
        try await FakeBroker.with { _ in
            .say(text)
        } body: { broker in
            let link = try await RedisLink.open(broker.url)
            _ = try? await link.call("SUBSCRIBE", "a", "b", confirmations: 2)
            #expect(await link.waitForEnd()?.code == .protocolViolation)
            try await link.close()
        }
    }

    @Test func `A connection that is closed within a reply is lost, and the call fails`() async throws {
        try await FakeBroker.with { _ in
            .sayAndClose("+OK\r\n$10\r\nhal")
        } body: { broker in
            let link = try await RedisLink.open(broker.url)
            let results = Locked<[Bool]>([])
            try await link.onLoop { connection in
                for _ in 0..<2 {
                    connection.send(RedisCommand("GET", "a")) { result in
                        results.change { $0.append((try? result.get()) != nil) }
                    }
                }
            }
            #expect(await link.waitForEnd()?.code == .connectionLost)
            #expect(results.value == [true, false])
            try await link.close()
        }
    }

    @Test func `Nothing is delivered after the end, even of what has arrived`() async throws {
        let message = "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nb\r\n"
        try await FakeBroker.with { _ in
            .say("*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n" + message + message)
        } body: { broker in
            let link = try await RedisLink.open(broker.url)
            try await link.onLoop { connection in
                connection.send(RedisCommand("SUBSCRIBE", "a")) { _ in connection.close() }
            }
            #expect(await link.waitForEnd()?.code == .shutdown)
            try await link.close()
            #expect(link.messages.value.isEmpty)
            let other = try await RedisLink.open(broker.url)
            try await other.call("SUBSCRIBE", "a")
            await other.wait { other.messages.value == ["a: b", "a: b"] }
            try await other.close()
        }
    }

    @Test func `A completion may close the connection and send more`() async throws {
        try await FakeBroker.with { _ in
            "+OK\r\n"
        } body: { broker in
            let link = try await RedisLink.open(broker.url)
            let results = Locked<[String]>([])
            let add: RedisConnection.Completion = { result in
                switch result {
                case .success(let value): results.change { $0.append(value.text ?? "") }
                case .failure(let error): results.change { $0.append("\(error.code) \(error.phase)") }
                }
            }
            try await link.onLoop { connection in
                connection.send(RedisCommand("GET", "a")) { result in
                    add(result)
                    connection.send(RedisCommand("GET", "unsent"), add)
                    connection.close()
                    connection.send(RedisCommand("GET", "late"), add)
                }
                connection.send(RedisCommand("GET", "b"), add)
            }
            #expect(await link.waitForEnd()?.code == .shutdown)
            // The last one is rejected after the end.
            await link.wait { results.value.count == 4 }
            #expect(
                results.value == ["OK", "connectionLost receiving", "connectionLost sending", "connectionLost sending"])
            try await link.close()
        }
    }
}
#endif

#if Redis
import NetCore
@testable import NetSocketServer
import NetSocketCore
import NetTesting
import Testing

@Suite struct RedisEnvelopeTests {
    private let messages: [FanOutMessage] = [
        .sample("news", to: "room", id: "id-7", from: "a", except: "connection 3"),
        FanOutMessage(id: "", node: "", topic: "room", push: WirePush(event: "", topic: "room")),
        FanOutMessage(
            id: "é\u{0}", node: "n", topic: "room",
            push: WirePush(event: "bytes", payload: SocketPayload(bytes: [0, 255, 10]), topic: "room")),
        FanOutMessage(
            id: "1", node: "n", topic: "room",
            push: WirePush(
                event: "long", payload: SocketPayload(json: "\"\(String(repeating: "x", count: 20_000))\""),
                topic: "room")),
    ]
    private let members = [
        PresenceMember(key: "ada", connection: "1", node: "a", details: SocketPayload(json: "{}")),
        PresenceMember(key: "", connection: "", node: ""),
    ]

    @Test func `Messages and members are read as they were written`() {
        for var message in messages {
            let bytes = RedisEnvelope.encode(message)
            #expect(RedisEnvelope.message(bytes, in: "room", offset: nil) == message)
            message.push.offset = 9
            #expect(RedisEnvelope.message(bytes, in: "room", offset: 9) == message)
        }
        for member in members { #expect(RedisEnvelope.member(RedisEnvelope.encode(member)) == member) }
    }

    @Test func `Messages that are cut off or too long can't be read`() {
        for message in messages {
            let bytes = Array(RedisEnvelope.encode(message))
            for end in 0..<min(bytes.count, 300) {
                #expect(RedisEnvelope.message(Bytes(bytes[..<end]), in: "room", offset: nil) == nil)
            }
            #expect(RedisEnvelope.message(Bytes(bytes + [0]), in: "room", offset: nil) == nil)
        }
        for member in members {
            let bytes = Array(RedisEnvelope.encode(member))
            for end in bytes.indices { #expect(RedisEnvelope.member(Bytes(bytes[..<end])) == nil) }
        }
    }

    @Test func `Another version, flags that nobody knows, and lengths without end can't be read`() {
        for head: [UInt8] in [
            [0, 0], [2, 0], [1, 8], [1, 4], [1, 255], [1, 0, 255, 255, 255, 255, 255, 255, 255, 255],
        ] {
            #expect(RedisEnvelope.message(Bytes(head + [0, 0, 0, 0]), in: "room", offset: nil) == nil)
            #expect(RedisEnvelope.member(Bytes(head + [0, 0, 0, 0])) == nil)
        }
    }

    @Test func `Reading random bytes ends`() {
        let random = SeededRandom(seed: 36)
        let samples = messages.map { Array(RedisEnvelope.encode($0)) } + members.map { Array(RedisEnvelope.encode($0)) }
        for _ in 0..<30_000 {
            var bytes = samples[Int(random.next() % UInt64(samples.count))]
            if bytes.count > 500 { bytes.removeLast(bytes.count - 500) }
            for _ in 0..<Int(random.next() % 4) where !bytes.isEmpty {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if random.next() % 4 == 0 { bytes.removeLast(min(bytes.count, Int(random.next() % 8))) }
            let head = random.next() % 2 == 0 ? "m \(random.next() % 9) e\n" : "l \(random.next()) e\n"
            _ = RedisFrame(Bytes(Array(head.utf8) + bytes), in: "room")
            _ = RedisEnvelope.member(Bytes(bytes))
        }
    }

    @Test func `A frame without its line of words can't be read`() {
        let body = Array(RedisEnvelope.encode(messages[0]))
        for head in ["", "m 1 e", "m 1\n", "m -1 e\n", "m 0 e\n", "q 1 e\n", "m 1 e f\n", "m 99999999999999999999 e\n"]
        {
            #expect(RedisFrame(Bytes(Array(head.utf8) + body), in: "room") == nil)
        }
        #expect(RedisFrame(Bytes(Array("m 1 e\n".utf8) + body), in: "room")?.offset == 1)
    }

    @Test func `Members are in the order in which they entered, and what isn't one is left out`() {
        func value(_ text: String, _ member: PresenceMember?) -> RedisValue {
            .bytes(Bytes(Array(text.utf8) + (member.map { Array(RedisEnvelope.encode($0)) } ?? [])))
        }
        let values = [
            value("10 ", members[1]), value("9 ", members[0]), value("x ", members[0]), .null, value("3 ", nil),
        ]
        #expect(RedisReply.members(values) == members)
    }
}
#endif

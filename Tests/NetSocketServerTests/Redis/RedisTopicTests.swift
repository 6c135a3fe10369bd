#if Redis
import NetCore
@testable import NetSocketServer
import NetSocketCore
import NetTesting
import Testing

@Suite struct RedisTopicTests {
    private typealias Action = RedisTopic.Action

    private func frame(_ offset: UInt64?, _ epoch: String = "e") -> RedisFrame {
        var message = FanOutMessage.sample(offset.map { "\($0)" } ?? "-", to: "room")
        message.push.offset = offset
        let head = offset.map { "m \($0) \(epoch)\n" } ?? "u 0 \(epoch)\n"
        let bytes = Bytes(Array(head.utf8) + Array(RedisEnvelope.encode(message)))
        guard let frame = RedisFrame(bytes, in: "room") else { fatalError("a frame that was just written") }
        return frame
    }

    private func frame(_ kind: String, _ member: PresenceMember, version: UInt64, _ epoch: String = "e") -> RedisFrame {
        let bytes = Bytes(Array("\(kind) \(version) \(epoch)\n".utf8) + Array(RedisEnvelope.encode(member)))
        guard let frame = RedisFrame(bytes, in: "room") else { fatalError("a frame that was just written") }
        return frame
    }

    private func message(_ offset: UInt64) -> FanOutMessage {
        var message = FanOutMessage.sample("\(offset)", to: "room")
        message.push.offset = offset
        return message
    }

    private func history(_ offsets: ClosedRange<UInt64>?, at offset: UInt64, _ epoch: String = "e")
        -> RedisTopic.History
    {
        RedisTopic.History(
            position: ChannelPosition(epoch: epoch, offset: offset), messages: offsets?.map { message($0) } ?? [])
    }

    private func snapshot(
        _ offset: UInt64, version: UInt64 = 0, _ members: [PresenceMember] = [], epoch: String = "e"
    ) -> RedisTopic.Snapshot {
        .init(position: ChannelPosition(epoch: epoch, offset: offset), version: version, members: members)
    }

    private func live(at offset: UInt64, version: UInt64 = 0) -> RedisTopic {
        var topic = RedisTopic("room")
        var actions: [Action] = []
        topic.resumed(snapshot(offset, version: version), nil, &actions)
        return topic
    }

    /// Returns a short form of the deliveries: the names of messages, `gap` with its offset, the keys of members.
    private func short(_ actions: [Action]) -> [String] {
        actions.map { action in
            switch action {
            case .deliver(.message(let message)): message.push.event
            case .deliver(.gap(_, let position)): "gap \(position.epoch) \(position.offset)"
            case .deliver(.members(let members, _)): "members " + members.map(\.key).joined(separator: ",")
            case .deliver(.entered(let member, _)): "+\(member.key)"
            case .deliver(.left(let member, _)): "-\(member.key)"
            case .deliver: "?"
            case .read(let position): "read \(position.offset)"
            case .resume: "resume"
            }
        }
    }

    private func actions(_ topic: inout RedisTopic, _ body: (inout RedisTopic, inout [Action]) -> Void) -> [String] {
        var actions: [Action] = []
        body(&topic, &actions)
        return short(actions)
    }

    private func receive(_ topic: inout RedisTopic, _ frames: RedisFrame...) -> [String] {
        actions(&topic) { topic, actions in for frame in frames { topic.receive(frame, &actions) } }
    }

    private let ada = PresenceMember(key: "ada", connection: "1", node: "a")
    private let bob = PresenceMember(key: "bob", connection: "2", node: "b")

    @Test func `Messages are delivered in order, and none twice`() {
        var topic = live(at: 3)
        #expect(receive(&topic, frame(4), frame(4), frame(3), frame(nil), frame(5)) == ["4", "-", "5"])
        #expect(topic.position == ChannelPosition(epoch: "e", offset: 5))
    }

    @Test func `Messages that arrive before the state are delivered after it`() {
        var topic = RedisTopic("room")
        #expect(receive(&topic, frame(4), frame(5)) == [])
        #expect(actions(&topic) { $0.resumed(snapshot(5), nil, &$1) } == ["4", "5"])
        #expect(receive(&topic, frame(6)) == ["6"])
    }

    @Test func `A hole is read, and what arrives meanwhile follows it`() {
        var topic = live(at: 3)
        #expect(receive(&topic, frame(6), frame(nil), frame(7)) == ["read 3"])
        #expect(actions(&topic) { $0.read(history(4...7, at: 7), &$1) } == ["4", "5", "6", "-", "7"])
        #expect(receive(&topic, frame(8)) == ["8"])
    }

    @Test func `A hole that nobody can fill is told`() {
        var topic = live(at: 3)
        #expect(receive(&topic, frame(7)) == ["read 3"])
        #expect(actions(&topic) { $0.read(history(5...6, at: 7), &$1) } == ["gap e 4", "5", "6", "7"])
        #expect(receive(&topic, frame(9)) == ["read 7"])
        #expect(actions(&topic) { $0.read(history(nil, at: 9), &$1) } == ["gap e 8", "9"])
    }

    @Test func `Frames beyond the bound are read from the history`() {
        var topic = live(at: 0)
        #expect(receive(&topic, frame(2)) == ["read 0"])
        for offset in 3...UInt64(RedisTopic.maximumHeld + 10) { _ = receive(&topic, frame(offset)) }
        let last = UInt64(RedisTopic.maximumHeld + 1)
        let read = actions(&topic) { $0.read(history(1...1, at: 1), &$1) }
        #expect(read == (1...last).map { "\($0)" } + ["resume"])
        let rest = actions(&topic) { $0.resumed(snapshot(last + 9), history(last + 1...last + 9, at: last + 9), &$1) }
        #expect(rest == (last + 1...last + 9).map { "\($0)" })
    }

    @Test func `After an outage, what was missed is delivered, and what is held once`() {
        var topic = live(at: 3)
        topic.interrupt()
        #expect(receive(&topic, frame(6), frame(7)) == [])
        #expect(actions(&topic) { $0.resumed(snapshot(7), history(4...7, at: 7), &$1) } == ["4", "5", "6", "7"])
    }

    @Test func `After an outage, what nobody has is told at once`() {
        var topic = live(at: 3)
        topic.interrupt()
        #expect(actions(&topic) { $0.resumed(snapshot(9), history(8...9, at: 9), &$1) } == ["gap e 7", "8", "9"])
        topic.interrupt()
        #expect(actions(&topic) { $0.resumed(snapshot(12), history(nil, at: 12), &$1) } == ["gap e 12"])
        topic.interrupt()
        #expect(actions(&topic) { $0.resumed(snapshot(2), history(1...2, at: 2), &$1) } == ["gap e 2"])
    }

    @Test func `Another epoch is told, and its messages follow`() {
        var topic = live(at: 3)
        #expect(receive(&topic, frame(2, "f"), frame(3, "f")) == ["resume"])
        let resumed = actions(&topic) { $0.resumed(snapshot(3, epoch: "f"), history(1...3, at: 3, "f"), &$1) }
        #expect(resumed == ["gap f 1", "2", "3"])
    }

    @Test func `Members come as a list, then as changes, each once`() {
        var topic = RedisTopic("room")
        #expect(receive(&topic, frame("e", ada, version: 1), frame("e", bob, version: 2)) == [])
        #expect(
            actions(&topic) { $0.resumed(snapshot(0, version: 1, [ada]), nil, &$1) } == ["members ada", "+bob"])
        #expect(receive(&topic, frame("e", bob, version: 2), frame("l", ada, version: 3)) == ["-ada"])
    }

    @Test func `A change of members that was missed leads to the whole list`() {
        var topic = live(at: 3, version: 1)
        #expect(receive(&topic, frame("l", ada, version: 3), frame(4)) == ["resume"])
        let resumed = actions(&topic) { $0.resumed(snapshot(4, version: 3, [bob]), history(4...4, at: 4), &$1) }
        #expect(resumed == ["members bob", "4"])
    }

    /// With messages lost, delayed, duplicated and interrupted: each message is delivered once and in order, or
    /// reported as missing.
    @Test func `Nothing is lost in silence, whatever the order of things`() {
        let random = SeededRandom(seed: 36)
        for _ in 0..<3000 {
            var (topic, last, told, delivered) = (RedisTopic("room"), UInt64(0), UInt64(0), [UInt64]())
            var (questions, stored): ([Action], ClosedRange<UInt64>?) = ([], nil)
            func take(_ actions: [Action]) {
                for action in actions {
                    switch action {
                    case .deliver(.message(let message)):
                        let offset = message.push.offset ?? 0
                        #expect(offset == told + 1)
                        told = offset
                        delivered.append(offset)
                    case .deliver(.gap(_, let position)):
                        #expect(position.offset > told)
                        told = position.offset
                    case .deliver: break
                    case .read, .resume: questions.append(action)
                    }
                }
            }
            func answer() {
                guard !questions.isEmpty else { return }
                let question = questions.removeFirst()
                var actions: [Action] = []
                let after = topic.position?.offset ?? 0
                let kept = stored.map { max($0.lowerBound, after + 1) }.flatMap { $0 <= last ? $0...last : nil }
                switch question {
                case .read: topic.read(history(kept, at: last), &actions)
                default:
                    let past = topic.position == nil ? nil : history(kept, at: last)
                    topic.resumed(snapshot(last), past, &actions)
                }
                take(actions)
            }
            questions.append(.resume)
            answer()
            for _ in 0..<Int(random.next() % 40) {
                switch random.next() % 8 {
                case 0: answer()
                case 1:
                    topic.interrupt()
                    questions = [.resume]
                case 2: last += 1  // published, but never received
                default:
                    last += 1
                    var actions: [Action] = []
                    topic.receive(frame(last), &actions)
                    take(actions)
                }
                let first = last > 5 && random.next() % 2 == 0 ? last - 5 : 1
                stored = last > 0 ? max(first, stored?.lowerBound ?? 1)...last : nil
            }
            while !questions.isEmpty { answer() }
            last += 1
            stored = (stored?.lowerBound ?? 1)...last
            var actions: [Action] = []
            topic.receive(frame(last), &actions)
            take(actions)
            while !questions.isEmpty { answer() }
            #expect(told == last)
        }
    }
}
#endif

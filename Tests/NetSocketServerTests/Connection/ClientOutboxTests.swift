#if Server
import NetCore
@testable import NetSocketServer
import Testing

@Suite struct ClientOutboxTests {
    static func entry(_ text: String, _ key: String? = "news") -> ClientOutbox.Entry {
        ClientOutbox.Entry(content: .message(.text(text)), key: key)
    }

    static func texts(_ outbox: inout ClientOutbox) -> [String] {
        var texts: [String] = []
        while let content = outbox.next() {
            if case .message(let message) = content { texts.append(message.text ?? "") }
        }
        return texts
    }

    @Test func `Messages that fit wait in order`() {
        var outbox = ClientOutbox(.dropOldest, maximumBytes: 6)
        for text in ["aa", "bb", "cc"] { #expect(outbox.append(Self.entry(text)) == .kept) }
        #expect(outbox.bytes == 6)
        #expect(outbox.count == 3)
        #expect(Self.texts(&outbox) == ["aa", "bb", "cc"])
        #expect(outbox.isEmpty)
        #expect(outbox.bytes == 0)
    }

    @Test func `Entries of a channel can be removed, and those with numbers become empty`() {
        var outbox = ClientOutbox(.dropOldest, maximumBytes: 100)
        for (number, text) in ["aa", "bb", "cc", "dd"].enumerated() {
            var entry = Self.entry(text)
            if number > 0 { entry.scope = .topic(number == 2 ? "other" : "room") }
            if number == 3 { entry.number = 7 }
            _ = outbox.append(entry)
        }
        let count = outbox.discard(.topic("room")) { .message(.text("empty \($0)")) }
        #expect(count == 2)
        #expect(outbox.bytes == 11)
        #expect(Self.texts(&outbox) == ["aa", "cc", "empty 7"])
        #expect(outbox.bytes == 0)
    }

    @Test func `The oldest pushes make room, and nothing else does`() {
        var outbox = ClientOutbox(.dropOldest, maximumBytes: 6)
        _ = outbox.append(Self.entry("r1", nil))
        _ = outbox.append(Self.entry("p1"))
        _ = outbox.append(Self.entry("p2"))
        #expect(outbox.append(Self.entry("p3")) == .dropped(1))
        #expect(outbox.append(Self.entry("p4p4")) == .dropped(2))
        #expect(Self.texts(&outbox) == ["r1", "p4p4"])
    }

    @Test func `A push that is larger than all that may wait is dropped itself, and a reply is not`() {
        var outbox = ClientOutbox(.dropOldest, maximumBytes: 4)
        #expect(outbox.append(Self.entry("large one")) == .dropped(1))
        #expect(outbox.append(Self.entry("large reply", nil)) == .kept)
        #expect(Self.texts(&outbox) == ["large reply"])
    }

    @Test func `Of each name only the newest waits`() {
        var outbox = ClientOutbox(.latestOnly, maximumBytes: 100)
        _ = outbox.append(Self.entry("a1", "a"))
        _ = outbox.append(Self.entry("b1", "b"))
        _ = outbox.append(Self.entry("reply", nil))
        #expect(outbox.append(Self.entry("a2", "a")) == .dropped(1))
        #expect(Self.texts(&outbox) == ["b1", "reply", "a2"])
    }

    @Test(arguments: [(SlowClientPolicy.close, UInt16(1008)), (.closeForLater, 1013)])
    func `A client that is too slow is closed`(policy: SlowClientPolicy, code: UInt16) {
        var outbox = ClientOutbox(policy, maximumBytes: 3)
        #expect(outbox.append(Self.entry("abc")) == .kept)
        #expect(outbox.append(Self.entry("d")) == .close(WebSocketCloseCode(rawValue: code)))
    }

    @Test func `Small pushes are bounded by their number`() {
        var outbox = ClientOutbox(.dropOldest, maximumBytes: 64 << 10)
        for _ in 0..<10_000 { _ = outbox.append(Self.entry("")) }
        #expect(outbox.count == 1024)
    }

    /// Compared with a slow model of the same behavior.
    @Test(arguments: [SlowClientPolicy.dropOldest, .latestOnly], 1...20)
    func `Random messages leave the same queue as the model`(policy: SlowClientPolicy, seed: UInt64) {
        var random = SeededNumbers(seed)
        var outbox = ClientOutbox(policy, maximumBytes: 300)
        var model: [(text: String, key: String?)] = []
        var dropped = 0
        for number in 0..<3000 {
            if random.next(3) == 0 || number % 500 > 450 {
                var next: String?
                if case .message(let message)? = outbox.next() { next = message.text }
                #expect(next == (model.isEmpty ? nil : model.removeFirst().text))
                continue
            }
            let text = "\(number)" + String(repeating: "x", count: random.next(12))
            let key = [nil, "a", "b", ""][random.next(4)]
            if case .dropped(let count) = outbox.append(Self.entry(text, key)) { dropped += count }
            let before = model.count
            if policy == .latestOnly, let key, key != "" { model.removeAll { $0.key == key } }
            func isFull() -> Bool {
                model.reduce(text.utf8.count) { $0 + $1.text.utf8.count } > 300 || model.count >= 64
            }
            while isFull(), let index = model.firstIndex(where: { $0.key != nil }) { model.remove(at: index) }
            let isKept = key == nil || !isFull()
            dropped -= before - model.count + (isKept ? 0 : 1)
            if isKept { model.append((text, key)) }
            #expect(outbox.count == model.count)
        }
        #expect(dropped == 0)
        #expect(outbox.bytes == model.reduce(0) { $0 + $1.text.utf8.count })
        #expect(Self.texts(&outbox) == model.map(\.text))
    }
    @Test func `Numbers stay true through many additions and removals`() {
        var outbox = ClientOutbox(.dropOldest, maximumBytes: 500)
        var model: [String] = []
        for number in 0..<2000 {
            let text = String(repeating: "x", count: number % 13 + 1)
            _ = outbox.append(Self.entry(text, number % 5 == 0 ? nil : "p"))
            model.append(text)
            if number % 3 == 0 { _ = outbox.next() }
            #expect(outbox.bytes <= 500 + 13 * 40)
        }
        var bytes = 0
        while let content = outbox.next() { bytes += content.count }
        #expect(outbox.bytes == 0)
        #expect(bytes > 0)
        #expect(outbox.isEmpty)
    }
}
#endif

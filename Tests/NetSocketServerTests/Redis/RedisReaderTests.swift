#if Redis && os(Linux)
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetSocketServer

extension RedisReader {
    /// Feeds bytes in pieces; returns all values until more bytes are needed, or the reader fails.
    func values(of bytes: [UInt8], pieces: [Range<Int>]) -> [RedisValue] {
        var values: [RedisValue] = []
        for piece in pieces {
            bytes.withUnsafeBytes { feed(UnsafeRawBufferPointer(rebasing: $0[piece])) }
            while let value = try? next() { values.append(value) }
        }
        return values
    }
}

@Suite(.timeLimit(.minutes(2))) struct RedisReaderTests {
    private static func bulk(_ text: String) -> RedisValue { .bytes(Bytes(text.utf8)) }

    private static let large = String(repeating: "0123456789abcdef", count: 100)

    /// Replies of a server: to PING, DEL, GET, SUBSCRIBE, XRANGE, an invalid command, and a message.
    private static let recording = Array(
        ("+PONG\r\n+\r\n:0\r\n:-9223372036854775808\r\n$5\r\na\r\nb\0\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n"
            + "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n"
            + "*2\r\n*2\r\n$3\r\n1-0\r\n*2\r\n$1\r\nd\r\n$2\r\nab\r\n*2\r\n$3\r\n2-0\r\n*-1\r\n"
            + "-ERR unknown command 'NIX'\r\n*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$1600\r\n\(large)\r\n").utf8)

    private static let values: [RedisValue] = [
        .status("PONG"), .status(""), .integer(0), .integer(.min), bulk("a\r\nb\0"), bulk(""), .null, .null, .array([]),
        .array([bulk("subscribe"), bulk("news"), .integer(1)]),
        .array([
            .array([bulk("1-0"), .array([bulk("d"), bulk("ab")])]), .array([bulk("2-0"), .null]),
        ]),
        .error(RedisError("ERR unknown command 'NIX'")), .array([bulk("message"), bulk("news"), bulk(large)]),
    ]

    @Test func `Replies are the same whole, in two pieces at each place, and byte by byte`() {
        let bytes = Self.recording
        #expect(RedisReader().values(of: bytes, pieces: [0..<bytes.count]) == Self.values)
        #expect(RedisReader().values(of: bytes, pieces: bytes.indices.map { $0..<($0 + 1) }) == Self.values)
        var wrong = 0
        for split in bytes.indices {
            let values = RedisReader().values(of: bytes, pieces: [0..<split, split..<bytes.count])
            if values != Self.values { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test func `Values are read as text, bytes and numbers`() {
        #expect(Self.bulk("12").integer == 12)
        #expect(RedisValue.status("-3").integer == -3)
        #expect(RedisValue.integer(7).integer == 7)
        #expect(Self.bulk("x").integer == nil)
        #expect(RedisValue.null.integer == nil)
        #expect(Self.bulk("é").text == "é")
        #expect(RedisValue.bytes(Bytes([0xff])).text == "\u{FFFD}")
        #expect(RedisValue.status("OK").bytes == Bytes("OK".utf8))
        #expect(RedisValue.integer(1).text == nil)
        #expect(RedisValue.array([.null]).array == [.null])
        #expect(RedisValue.null.array == nil)
    }

    /// Returns the error after the bytes, if the values before it are as expected.
    private func failure(
        of text: String, values: Int = 0, maximumReplyBytes: Int = 1 << 20
    ) -> RedisReader.Failure? {
        let bytes = Array(text.utf8)
        let reader = RedisReader(maximumReplyBytes: maximumReplyBytes)
        let pieces = stride(from: 0, to: bytes.count, by: RedisReader.piece).map {
            $0..<min($0 + RedisReader.piece, bytes.count)
        }
        guard reader.values(of: bytes, pieces: pieces).count == values else { return nil }
        // The reader remains in the failed state.
        let later = reader.values(of: Array("+OK\r\n".utf8), pieces: [0..<5])
        return later.isEmpty ? reader.failure : nil
    }

    @Test(arguments: [
        "hello\r\n", "\r\n", ":x\r\n", ":\r\n", ":99999999999999999999\r\n", "$x\r\n", "$-2\r\n",
        "$99999999999999999999\r\n", "*x\r\n", "*-2\r\n", "%1\r\n+a\r\n+b\r\n", "*1\r\n!\r\n",
        "$" + String(repeating: "1", count: 40),
    ])
    func `Bytes that aren't replies are one error`(text: String) {
        #expect(failure(of: text)?.code == .protocolViolation)
        #expect(failure(of: "+OK\r\n" + text, values: 1)?.code == .protocolViolation)
    }

    @Test(arguments: [
        "*1000000000\r\n", "*2147483647\r\n", "*20000\r\n", String(repeating: "*4000\r\n", count: 5),
        "*100\r\n" + String(repeating: "*1000\r\n" + String(repeating: ":1\r\n", count: 1000), count: 100),
    ])
    func `An array that would take too much memory is an error, however little has arrived`(text: String) {
        #expect(failure(of: text)?.code == .bodyTooLarge)
    }

    @Test func `An array that announces more elements than 32 bits count is an error`() {
        for count in ["4294967296", "2147483648", "9223372036854775807"] {
            #expect(failure(of: "*\(count)\r\n+a\r\n") != nil)
        }
    }

    @Test func `A string that is too large is an error before all of it has arrived`() {
        #expect(failure(of: "$9895604649984\r\n" + String(repeating: "x", count: 2 << 20))?.code == .bodyTooLarge)
        #expect(failure(of: "$100\r\n" + String(repeating: "x", count: 100) + "\r\n", maximumReplyBytes: 99) != nil)
    }

    @Test func `Endless nesting and endless lines are errors`() {
        #expect(failure(of: String(repeating: "*1\r\n", count: 100_000))?.code == .protocolViolation)
        #expect(failure(of: "+" + String(repeating: "x", count: 100_000))?.code == .protocolViolation)
        #expect(failure(of: "+" + String(repeating: "x\n", count: 100_000))?.code == .protocolViolation)
    }

    @Test func `The limit is for each reply, not for all`() {
        let reply = "*2\r\n$100\r\n\(String(repeating: "x", count: 100))\r\n:1\r\n"
        let bytes = Array(String(repeating: reply, count: 500).utf8)
        let reader = RedisReader(maximumReplyBytes: 1000)
        #expect(reader.values(of: bytes, pieces: [0..<bytes.count]).count == 500)
        #expect(reader.failure == nil)
    }

    @Test(arguments: 0..<4)
    func `Mutated replies end in values or one error, whole and in pieces`(part: Int) async throws {
        let counts = try await offPool { Self.fuzz(seed: UInt64(part), cases: 60_000) }
        #expect(counts.differing == 0)
        #expect(counts.failed > 10_000)
        #expect(counts.passed > 1000)
    }

    private static func fuzz(seed: UInt64, cases: Int) -> (passed: Int, failed: Int, differing: Int) {
        var counts = (passed: 0, failed: 0, differing: 0)
        let mutation = ReplyMutation(recording, seed: seed)
        for _ in 0..<cases {
            let bytes = mutation.next()
            let whole = RedisReader(maximumReplyBytes: 1 << 20)
            let values = whole.values(of: bytes, pieces: [0..<bytes.count])
            let split = bytes.isEmpty ? 0 : mutation.number(bytes.count)
            let parts = RedisReader(maximumReplyBytes: 1 << 20)
            let others = parts.values(of: bytes, pieces: [0..<split, split..<bytes.count])
            if values != others || whole.failure != parts.failure { counts.differing += 1 }
            if whole.failure == nil { counts.passed += 1 } else { counts.failed += 1 }
        }
        return counts
    }
}

/// Replies with a few changes each, the same for each seed.
private struct ReplyMutation {
    private let bytes: [UInt8]
    private let random: SeededRandom
    private let tokens = [
        "\r\n", "\r", "\n", "*", "$", ":", "+", "-", "*-1\r\n", "$-1\r\n", "*1\r\n", "*3\r\n", "$0\r\n\r\n",
        "4294967296", "1000000000", "9895604649984", "-9223372036854775808", "0", "00", "-", "\0", "%2\r\n", ",1.5\r\n",
        "#t\r\n", "_\r\n", ">2\r\n", "(12\r\n", "=5\r\ntxt:a\r\n",
    ].map { Array($0.utf8) }

    init(_ bytes: [UInt8], seed: UInt64) {
        // Without the large message, so that a case takes microseconds.
        self.bytes = Array(bytes.prefix(220))
        random = SeededRandom(seed: seed)
    }

    func number(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    func next() -> [UInt8] {
        let start = number(bytes.count)
        var result = Array(bytes[start..<min(bytes.count, start + 1 + number(100))])
        if number(2) == 0 { result = Array(bytes.prefix(20 + number(200))) }
        for _ in 0...number(3) {
            let place = number(result.count + 1)
            switch number(4) {
            case 0 where place < result.count: result[place] = UInt8(truncatingIfNeeded: random.next())
            case 1 where place < result.count:
                result.removeSubrange(place..<min(result.count, place + 1 + number(6)))
            case 2: result.insert(contentsOf: result[place..<min(result.count, place + number(20))], at: place)
            default: result.insert(contentsOf: tokens[number(tokens.count)], at: place)
            }
        }
        return result
    }
}
#endif

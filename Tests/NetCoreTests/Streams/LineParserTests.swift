import NetCore
import Testing

@Suite struct LineParserTests {
    private func lines(_ chunks: [[UInt8]], maximumLineBytes: Int = 1024) throws(NetError) -> [String] {
        var parser = LineParser(maximumLineBytes: maximumLineBytes)
        var lines: [String] = []
        for chunk in chunks {
            var input = Bytes(chunk)
            while let line = try parser.next(from: &input) { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        if let last = parser.finish() { lines.append(String(decoding: last, as: UTF8.self)) }
        return lines
    }

    @Test(arguments: [
        ("", []), ("\n", [""]), ("a\r\nb\rc\n\nd", ["a", "b", "c", "", "d"]), ("a\r\r\n\n", ["a", "", ""]),
        ("é😀\u{2028}x\r", ["é😀\u{2028}x"]),
    ]) func allThreeEndsCountHoweverTheChunksAreCut(text: String, expected: [String]) throws {
        let bytes = Array(text.utf8)
        #expect(try lines([bytes]) == expected)
        #expect(try lines(bytes.map { [$0] }) == expected)
        for cut in 0...bytes.count {
            #expect(try lines([Array(bytes[..<cut]), Array(bytes[cut...])]) == expected, "cut at \(cut)")
        }
    }

    /// The cost of a line depends only on its own bytes, not on the bytes after it: no line is copied, and the rest
    /// isn't moved.
    @Test func aLargeChunkIsNeverMoved() throws {
        let (line, count) = (Array(repeating: UInt8(ascii: "x"), count: 4095) + [10], 64 << 20)
        var text: [UInt8] = []
        text.reserveCapacity(count)
        while text.count < count { text += line }
        var (parser, input, lines) = (LineParser(), Bytes(text), 0)
        let storage = ObjectIdentifier(input.storage)
        while let found = try parser.next(from: &input) {
            guard found.count == 4095, ObjectIdentifier(found.storage) == storage, found.offset == lines * 4096,
                parser.pendingBytes == 0, input.isEmpty || ObjectIdentifier(input.storage) == storage
            else {
                Issue.record("line \(lines) was copied")
                return
            }
            lines += 1
        }
        #expect(lines == count / 4096)
    }

    /// Only the unfinished line is kept, not the bytes before it.
    @Test func onlyTheUnfinishedLineIsKept() throws {
        var parser = LineParser()
        for number in 0..<10_000 {
            var input = Bytes("the end of one\nthe beginning \(number % 10)".utf8)
            while try parser.next(from: &input) != nil {}
            #expect(parser.pendingBytes == 15)
        }
    }

    @Test func aLineAsLongAsTheLimitPassesAndOneMoreByteThrows() throws {
        #expect(try lines([Array("12345678\n".utf8)], maximumLineBytes: 8) == ["12345678"])
        for chunks in [[Array("123456789".utf8)], [Array("12345".utf8), Array("6789\n".utf8)]] {
            let error = #expect(throws: NetError.self) { try lines(chunks, maximumLineBytes: 8) }
            #expect(error?.code == .bodyTooLarge)
        }
    }

    @Test func theLinesOfABodyArriveOneByOne() async throws {
        let source = ScriptedSource(["fir", "st\r", "\nsecond\nla", "st"])
        var seen: [String] = []
        for try await line in ResponseBody(source: source).lines() { seen.append(line) }
        #expect(seen == ["first", "second", "last"])
    }

    @Test func aBrokenBodyThrowsInsteadOfHandingOutAHalfLine() async throws {
        let lost = NetError(.connectionLost, phase: .receiving, message: "gone")
        var iterator = ResponseBody(source: ScriptedSource(["one\nha"], failure: lost)).lines().makeAsyncIterator()
        #expect(try await iterator.next() == "one")
        await #expect(throws: NetError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }
}

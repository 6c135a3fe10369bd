import NetCore
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChunkDecoderTests {
    private struct Reading: Equatable {
        var data = ""
        var trailers: [String] = []
        var surplus: Int?
        var fault: ChunkDecoder.Fault?
    }

    /// Returns the result for the text, which arrives in pieces of the given size.
    private func read(_ text: String, piece: Int = .max) -> Reading {
        var (decoder, reading) = (ChunkDecoder(), Reading())
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, reading.fault == nil {
            let bytes = Array(rest.prefix(piece))
            rest = rest.dropFirst(bytes.count)
            bytes.withUnsafeBytes { read($0, by: &decoder, into: &reading) }
        }
        #expect(decoder.isOver == (reading.surplus != nil))
        return reading
    }

    private func read(_ bytes: UnsafeRawBufferPointer, by decoder: inout ChunkDecoder, into reading: inout Reading) {
        var index = 0
        while true {
            switch decoder.next(bytes, &index) {
            case .data(let range): reading.data += String(decoding: bytes[range], as: UTF8.self)
            case .trailer: reading.trailers.append(String(decoding: decoder.trailer, as: UTF8.self))
            case .over(let surplus):
                reading.surplus = (reading.surplus ?? 0) + surplus
                return
            case .fault(let fault):
                reading.fault = fault
                return
            case .more: return
            }
        }
    }

    @Test(arguments: [
        "5\r\nhello\r\n0\r\n\r\n", "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", "5;a=\"b;c\"\r\nhello\r\n000;x\r\n\r\n",
        "05  \r\nhello\r\n0\t\r\n\r\n", "000000000005\r\nhello\r\n0\r\n\n",
    ])
    func chunksAreReadHoweverTheyAreCut(text: String) {
        for piece in 1...text.utf8.count {
            #expect(read(text, piece: piece) == Reading(data: "hello", surplus: 0), "\(piece)")
        }
    }

    @Test func digitsHaveBothCases() {
        #expect(read("A\r\n0123456789\r\nb\r\n0123456789a\r\n0\r\n\r\n").data == "01234567890123456789a")
    }

    @Test func trailersComeAsLines() {
        let text = "0\r\nX-A: 1\r\nX-B: 2\n\r\n"
        for piece in 1...text.utf8.count {
            #expect(
                read(text, piece: piece) == Reading(trailers: ["X-A: 1\r\n", "X-B: 2\r\n"], surplus: 0), "\(piece)")
        }
    }

    @Test func bytesAfterTheBodyAreCounted() {
        let text = "1\r\na\r\n0\r\n\r\nHTTP/1.1"
        for piece in 1...text.utf8.count {
            #expect(read(text, piece: piece) == Reading(data: "a", surplus: 8), "\(piece)")
        }
    }

    @Test(
        arguments: [
            ("\r\n", .size), ("g\r\n", .size), ("-5\r\n", .size), (" 5\r\n", .size), (";a\r\n", .size),
            ("5g\r\n", .sizeLine),
            ("0x5\r\n", .sizeLine), ("5 5\r\n", .sizeLine), ("5\rX", .sizeLine), ("5;a\rb\r\n", .sizeLine),
            ("5;a\u{0}\r\n", .sizeLine), ("8000000000000000\r\n", .sizeTooLarge),
            ("00000000000000005\r\n", .sizeTooLarge),
            ("ffffffffffffffff\r\n", .sizeTooLarge), ("2\r\nabc", .dataEnd), ("2\r\nab\rc", .dataEnd),
            ("2\r\nab\r\r", .dataEnd), ("2\r\nab\n", .dataEnd), ("2\n", .sizeLine), ("12345678g\r\n", .sizeLine),
            ("0\r\nX: a\rb", .trailerEnd), ("0\r\n\rX", .trailerEnd),
        ] as [(String, ChunkDecoder.Fault)])
    func malformedChunksAreRejected(text: String, fault: ChunkDecoder.Fault) {
        for piece in 1...text.utf8.count { #expect(read(text, piece: piece).fault == fault, "\(piece)") }
    }

    @Test func dataBeforeAFaultIsRead() {
        #expect(read("5\r\nhello\r\nzz\r\n") == Reading(data: "hello", fault: .size))
    }

    @Test func linesAreBounded() {
        let long = String(repeating: "x", count: 5000)
        #expect(read("5;\(long)").fault == .lineTooLong)
        #expect(read("5\(String(repeating: " ", count: 5000))").fault == .lineTooLong)
        #expect(read("0\r\nX: \(long)").fault == .trailerTooLong)
        let fits = String(repeating: "x", count: ChunkDecoder.trailerLimit)
        #expect(read("0\r\n\(fits)\r\n\r\n").surplus == 0)
        #expect(read("0\r\n\(fits)x\r\n\r\n").fault == .trailerTooLong)
    }

    @Test func theLargestSizeIsTaken() {
        #expect(read("7fffffffffffffff\r\nabc").data == "abc")
    }
}

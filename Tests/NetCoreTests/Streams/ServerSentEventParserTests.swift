import NetCore
import Testing

@Suite struct ServerSentEventParserTests {
    @Test func theCasesAreThere() {
        #expect(EventStreamCase.all.count >= 84)
    }

    @Test(arguments: EventStreamCase.all) func aStreamIsReadAsTheStandardSays(_ example: EventStreamCase) throws {
        let outcome = try EventStreamOutcome([example.input])
        #expect(outcome.events == example.events)
        #expect(outcome.lastEventID == example.finalLastEventId)
        switch example.retryMs {
        case .any: break
        case .unset: #expect(outcome.retry == nil)
        case .milliseconds(let time): #expect(outcome.retry == .milliseconds(time))
        }
    }

    @Test(arguments: EventStreamCase.all) func howTheBytesAreCutMakesNoDifference(_ example: EventStreamCase) throws {
        let input = example.input
        let whole = try EventStreamOutcome([input])
        #expect(try EventStreamOutcome(input.map { [$0] }) == whole, "byte by byte")
        // `scripts/conformance sse` also cuts the long ones at every position.
        let step = input.count > 4096 ? 2039 : 1
        for cut in stride(from: 0, through: input.count, by: step) {
            let outcome = try EventStreamOutcome([Array(input[..<cut]), Array(input[cut...])])
            #expect(outcome == whole, "cut at \(cut)")
        }
    }

    @Test(arguments: 0..<64) func chunkBoundariesNeverAffectParsing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("\r\n\n: datevnirlyx019\u{FEFF}é😀\0".utf8) + [0xFF, 0xE2, 0x82, 0xEF, 0xBB]
        let examples = EventStreamCase.all.filter { $0.input.count < 512 }
        var input = examples.randomElement(using: &random)?.input ?? []
        for _ in 0..<Int.random(in: 1...24, using: &random) {
            let place = Int.random(in: 0...input.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: input.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
            case 1 where place < input.count: input.remove(at: place)
            default: input.insert(contentsOf: Array("\ndata: y\r".utf8), at: place)
            }
        }
        let whole = try EventStreamOutcome([input])
        #expect(try EventStreamOutcome(input.map { [$0] }) == whole)
        for cut in 0...input.count {
            #expect(try EventStreamOutcome([Array(input[..<cut]), Array(input[cut...])]) == whole, "cut at \(cut)")
        }
    }

    @Test func aLineThatNeverEndsIsAnErrorWithItsNumber() throws {
        let start = Array("data: one\n\ndata: ".utf8)
        let chunks = [start] + Array(repeating: Array(repeating: UInt8(ascii: "x"), count: 64), count: 5)
        let error = #expect(throws: NetError.self) { try EventStreamOutcome(chunks, maximumEventBytes: 256) }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message.contains("event 2 of the stream is larger than 256 bytes") == true)
    }

    @Test func manyShortLinesAreLimitedTogether() throws {
        let lines = Array(repeating: Array("data: 12345678\n".utf8), count: 40)
        let error = #expect(throws: NetError.self) { try EventStreamOutcome(lines, maximumEventBytes: 256) }
        #expect(error?.code == .bodyTooLarge)
        let events = Array(repeating: Array("data: 12345678\n\n".utf8), count: 40)
        #expect(try EventStreamOutcome(events, maximumEventBytes: 256).events.count == 40)
    }

    @Test func emptyDataLinesAreLimitedToo() {
        let lines = Array(repeating: Array("data\n".utf8), count: 300)
        #expect(throws: NetError.self) { try EventStreamOutcome(lines, maximumEventBytes: 256) }
    }

    @Test func theLimitDoesNotDependOnWhereTheChunksAreCut() {
        let stream = Array("data: twelve bytes\n: a comment of twenty-six\n\n".utf8)
        for limit in [32, 36, 37, 38, 64] {
            let whole = (try? EventStreamOutcome([stream], maximumEventBytes: limit))?.events.count
            let pieces = (try? EventStreamOutcome(stream.map { [$0] }, maximumEventBytes: limit))?.events.count
            #expect(whole == pieces, "at \(limit) bytes")
            #expect(whole == (limit < 37 ? nil : 1))
        }
    }

    @Test func anEventBeforeATooLargeOneIsStillHandedOut() throws {
        var parser = ServerSentEventParser(maximumEventBytes: 64)
        var input = Bytes(Array("data: first\n\ndata: ".utf8) + Array(repeating: UInt8(ascii: "x"), count: 100))
        #expect(try parser.next(from: &input)?.data == "first")
        #expect(throws: NetError.self) { try parser.next(from: &input) }
    }

    @Test func aHugeRetryIsClampedAndAnEventCarriesItsOwn() throws {
        var parser = ServerSentEventParser()
        var input = Bytes("retry: 99999999999999999999999999\ndata: a\n\ndata: b\n\n".utf8)
        #expect(try parser.next(from: &input)?.retry == .milliseconds(Int64.max))
        #expect(try parser.next(from: &input)?.retry == nil)
        #expect(parser.reconnectionTime == .milliseconds(Int64.max))
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

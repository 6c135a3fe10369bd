import NetCore
import TestSupport
import Testing

@testable import NetCompression

struct StreamDecoderTests {
    private func decoder(of coding: String) -> any StreamDecoder & ~Copyable {
        switch coding {
        #if Compression
        case "br": return BrotliDecoder()
        case "zstd": return ZstdDecoder()
        #endif
        case "deflate": return Inflater(.deflate)
        default: return Inflater(.gzip)
        }
    }

    /// Decodes pieces one after another, as a consumer receives them.
    private func decode(_ pieces: [Bytes], _ coding: String) throws(CodingFailure) -> String {
        var decoder = decoder(of: coding)
        var decoded: [UInt8] = []
        for piece in pieces {
            var rest = piece
            while let part = try decoder.piece(of: &rest) { decoded.append(contentsOf: part) }
        }
        try decoder.finish()
        return String(decoding: decoded, as: UTF8.self)
    }

    @Test(arguments: CodedSample.all) func everyFormIsReadWholeByteByByteAndSplitAnywhere(sample: CodedSample) throws {
        let bytes = sample.bytes
        #expect(try decode([bytes], sample.coding) == CodedSample.text)
        #expect(try decode(bytes.map { Bytes([$0]) }, sample.coding) == CodedSample.text)
        for split in 0...bytes.count {
            let text = try decode([bytes[0..<split], bytes[split..<bytes.count]], sample.coding)
            #expect(text == CodedSample.text, "split at \(split)")
        }
    }

    /// A consumer that collects the pieces retains the memory of each.
    @Test func aMemberOfOneByteHoldsNoBlock() throws {
        let member: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 115, 4, 0, 139, 158, 217, 211, 1, 0, 0, 0,
        ]
        let count = 10_000
        var rest = Bytes([[UInt8]](repeating: member, count: count).joined().map { $0 })
        var decoder = decoder(of: "gzip")
        var (bytes, held) = (0, 0)
        while let piece = try decoder.piece(of: &rest) {
            bytes += piece.count
            held += piece.storage.capacity
        }
        try decoder.finish()
        #expect(bytes == count)
        #expect(held < count * 100)
    }

    @Test(arguments: CodedSample.all) func everyStreamThatBreaksOffIsFound(sample: CodedSample) throws {
        // The parts that may be missing: the padding, and the end of the first of two members.
        let whole = sample.bytes.count - (sample.description.contains("padding") ? 9 : 0)
        for count in 1..<whole {
            do {
                let text = try decode([sample.bytes[0..<count]], sample.coding)
                #expect(sample.description.contains("members"))
                #expect(text == String(CodedSample.text.prefix(20)))
            } catch {
                #expect(error == .truncated, "cut at \(count)")
            }
        }
        #expect(try decode([], sample.coding) == "")
    }

    @Test(arguments: CodedSample.checked) func noFlippedBitOfACheckedStreamChangesTheText(sample: CodedSample) throws {
        var found = 0
        for index in 0..<sample.bytes.count * 8 {
            var bytes = Array(sample.bytes)
            bytes[index / 8] ^= 1 << (index % 8)
            // Some bits don't affect the content: the time, the system, the window size.
            if let text = try? decode([Bytes(bytes)], sample.coding) {
                #expect(text == CodedSample.text, "bit \(index)")
            } else {
                found += 1
            }
        }
        #expect(found > sample.bytes.count * 6)
    }

    @Test(arguments: CodedSample.all) func trailingBytesAreRejected(sample: CodedSample) {
        let bytes = Bytes(Array(sample.bytes) + Array("garbage".utf8))
        #expect(throws: CodingFailure.trailingBytes) { try decode([bytes], sample.coding) }
    }

    /// zlib counts its input in 32 bits; a limit of seven bytes replaces that here.
    @Test(arguments: [0, 1, 6, 7, 8, 14, 20_000])
    func moreThanZlibTakesAtOnceIsWrittenWhole(count: Int) throws {
        let text = String(repeating: "round and ", count: count).prefix(count)
        var deflater = Deflater(level: 6, pieceLimit: 7)
        let coded = deflater?.encode(Bytes(text.utf8), isLast: true)
        #expect(try decode([#require(coded)], "gzip") == text)
    }

    #if Compression
    private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
    /// A last block of one byte.
    private static let block: [UInt8] = [9, 0, 0, UInt8(ascii: "a")]

    @Test func aWindowLargerThanAContentCodingsIsRefused() throws {
        // 8 MiB by its exponent, an eighth more, and twice that.
        #expect(try decode([Bytes(Self.magic + [0, 13 << 3] + Self.block)], "zstd") == "a")
        for window in [13 << 3 | 1, 14 << 3] as [UInt8] {
            expectFailure(.windowTooLarge, Self.magic + [0, window] + Self.block)
        }
        // In a single segment, the content is the window: here one byte more than 8 MiB, after a dictionary ID.
        expectFailure(.windowTooLarge, Self.magic + [0xa1, 7, 1, 0, 0x80, 0] + Self.block)
    }

    @Test func formatsFromBeforeTheStandardAreRefused() {
        for first in 0x22...0x27 as ClosedRange<UInt8> {
            expectFailure(.corrupt, [first] + Self.magic.dropFirst() + [0, 0] + Self.block)
        }
    }

    private func expectFailure(_ failure: CodingFailure, _ bytes: [UInt8]) {
        #expect(throws: failure) { try decode([Bytes(bytes)], "zstd") }
        #expect(throws: failure) { try decode(bytes.map { Bytes([$0]) }, "zstd") }
    }
    #endif
}

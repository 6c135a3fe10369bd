import NetCore
import Testing

@testable import NetHTTP

struct InflaterTests {
    /// Decodes pieces one after the other, as a reader gets them.
    private func decode(_ pieces: [Bytes], _ coding: ContentCoding) throws(Inflater.Failure) -> String {
        var inflater = Inflater(coding)
        var decoded: [UInt8] = []
        for piece in pieces {
            var rest = piece
            while let part = try inflater.piece(of: &rest) { decoded.append(contentsOf: part) }
        }
        try inflater.finish()
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

    @Test(arguments: CodedSample.all) func everyStreamThatBreaksOffIsFound(sample: CodedSample) throws {
        // What may be left out: padding, and where the first of two members ends.
        let whole = sample.bytes.count - (sample.description.contains("padding") ? 9 : 0)
        for count in 1..<whole {
            do {
                let text = try decode([sample.bytes[0..<count]], sample.coding)
                #expect(sample.description.contains("members") && text == String(CodedSample.text.prefix(20)))
            } catch {
                #expect(error == .truncated, "cut at \(count)")
            }
        }
        #expect(try decode([], sample.coding) == "")
    }

    @Test func noFlippedBitOfAGzipStreamChangesTheText() throws {
        var found = 0
        for index in 0..<CodedSample.gzip.bytes.count * 8 {
            var bytes = Array(CodedSample.gzip.bytes)
            bytes[index / 8] ^= 1 << (index % 8)
            // Some bits say nothing of the content: the time, the system, whether it is text.
            if let text = try? decode([Bytes(bytes)], .gzip) {
                #expect(text == CodedSample.text, "bit \(index)")
            } else {
                found += 1
            }
        }
        #expect(found > CodedSample.gzip.bytes.count * 6)
    }

    @Test(arguments: CodedSample.all) func whatFollowsTheEndIsAnError(sample: CodedSample) {
        let bytes = Bytes(Array(sample.bytes) + Array("garbage".utf8))
        #expect(throws: Inflater.Failure.trailingBytes) { try decode([bytes], sample.coding) }
    }

    @Test func codingsAreListedInTheirOrder() {
        #expect(ContentCoding.list("gzip") == [.gzip])
        #expect(ContentCoding.list(" X-GZIP ,deflate,, identity") == [.gzip, .deflate])
        #expect(ContentCoding.list("identity") == [])
        #expect(ContentCoding.list("gzip, br") == nil)
    }

    @Test func whatDeflaterWritesInPiecesIsReadBack() throws {
        let text = (0..<20_000).map { "\($0) " }.joined()
        let bytes = Bytes(text.utf8)
        for size in [1000, 70_000, bytes.count] {
            guard var deflater = Deflater(level: 99) else {
                Issue.record("there is no memory left")
                return
            }
            var coded: [Bytes] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                coded.append(deflater.compress(bytes[start..<min(start + size, bytes.count)], isLast: false))
            }
            coded.append(deflater.compress(Bytes(), isLast: true))
            #expect(try decode(coded, .gzip) == text)
        }
    }
}

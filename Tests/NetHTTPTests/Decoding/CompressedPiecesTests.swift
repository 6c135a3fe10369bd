import NetCore
import Testing

@testable import NetCompression
@testable import NetHTTP

struct CompressedPiecesTests {
    @Test(arguments: CompressionMiddleware.Coding.allCases, [1000, 70_000, 200_000])
    func dataCompressedInPiecesIsReadBackUnchanged(coding: CompressionMiddleware.Coding, size: Int) throws {
        let text = (0..<20_000).map { "\($0) " }.joined()
        let bytes = Bytes(text.utf8)
        var encoder = try coding.makeEncoder(level: 99)
        var coded: [Bytes] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            coded.append(try encoder.encode(bytes[start..<min(start + size, bytes.count)], isLast: false))
        }
        coded.append(try encoder.encode(Bytes(), isLast: true))
        #expect(coded.reduce(0) { $0 + $1.count } < bytes.count / 2)
        var decoder = try #require(ContentCoding(rawValue: coding.rawValue)).makeDecoder()
        var decoded: [UInt8] = []
        for piece in coded {
            var rest = piece
            while let part = try decoder.piece(of: &rest) { decoded.append(contentsOf: part) }
        }
        try decoder.finish()
        #expect(String(decoding: decoded, as: UTF8.self) == text)
    }
}

import Foundation
import NetCore

@testable import NetHTTP

/// One text in every form that a body may come in, made with Python's gzip and zlib modules.
struct CodedSample: CustomStringConvertible, Sendable {
    let description: String
    let coding: ContentCoding
    let bytes: Bytes

    static let text = "a short text that repeats, a short text that repeats, and ends."

    private init(_ name: String, _ coding: ContentCoding, _ base64: String) {
        description = name
        self.coding = coding
        bytes = Bytes(Data(base64Encoded: base64) ?? Data())
    }

    static let gzip = CodedSample(
        "gzip", .gzip,
        "H4sIAAAAAAACA0tUKM7ILypRKEmtABIZiSUKRakFqYklxToKiXik8lIUUvNSivUAn38ldj8AAAA=")
    static let all = [
        gzip, CodedSample("zlib", .deflate, "eJxLVCjOyC8qUShJrQASGYklCkWpBamJJcU6Col4pPJSFFLzUor1AN/EFro="),
        CodedSample("raw deflate", .deflate, "S1QozsgvKlEoSa0AEhmJJQpFqQWpiSXFOgqJeKTyUhRS81KK9QA="),
        CodedSample(
            "gzip in two members", .gzip,
            "H4sIAAAAAAACA0tUKM7ILypRKEmtABIZiSUKRakAO+yenxQAAAAfiwgAAAAAAAIDK0hNLCnWUUhUKM7ILypRKEmtABIZiSUKRakFUKm8FIXUvJRi"
                + "PQD6MIuyKwAAAA=="),
        CodedSample(
            "gzip with padding", .gzip,
            "H4sIAAAAAAACA0tUKM7ILypRKEmtABIZiSUKRakFqYklxToKiXik8lIUUvNSivUAn38ldj8AAAAAAAAAAAAAAAA="),
    ]

    /// gzip of any bytes.
    static func gzip(_ bytes: Bytes) -> Bytes {
        var deflater = Deflater(level: 6)
        return deflater?.compress(bytes, isLast: true) ?? Bytes()
    }
}

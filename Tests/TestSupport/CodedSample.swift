import Foundation
import NetCompression
package import NetCore

/// One text in every form that a body can have, created with Python's gzip and zlib modules, and with the commands
/// brotli and zstd.
package struct CodedSample: CustomStringConvertible, Sendable {
    package let description: String
    /// The name of its content coding (RFC 9110 section 8.4.1).
    package let coding: String
    package let bytes: Bytes

    package static let text = "a short text that repeats, a short text that repeats, and ends."

    private init(_ name: String, _ coding: String, _ base64: String) {
        description = name
        self.coding = coding
        bytes = Bytes(Data(base64Encoded: base64) ?? Data())
    }

    package static let gzip = CodedSample(
        "gzip", "gzip",
        "H4sIAAAAAAACA0tUKM7ILypRKEmtABIZiSUKRakFqYklxToKiXik8lIUUvNSivUAn38ldj8AAAA=")
    package static let all = zlib + library

    private static let zlib = [
        gzip, CodedSample("zlib", "deflate", "eJxLVCjOyC8qUShJrQASGYklCkWpBamJJcU6Col4pPJSFFLzUor1AN/EFro="),
        CodedSample("raw deflate", "deflate", "S1QozsgvKlEoSa0AEhmJJQpFqQWpiSXFOgqJeKTyUhRS81KK9QA="),
        CodedSample(
            "gzip in two members", "gzip",
            "H4sIAAAAAAACA0tUKM7ILypRKEmtABIZiSUKRakAO+yenxQAAAAfiwgAAAAAAAIDK0hNLCnWUUhUKM7ILypRKEmtABIZiSUKRakFUKm8FIXUvJRi"
                + "PQD6MIuyKwAAAA=="),
        CodedSample(
            "gzip with padding", "gzip",
            "H4sIAAAAAAACA0tUKM7ILypRKEmtABIZiSUKRakFqYklxToKiXik8lIUUvNSivUAn38ldj8AAAAAAAAAAAAAAAA="),
    ]

    #if Compression
    package static let zstd = CodedSample(
        "zstd", "zstd", "KLUv/SQ/VQEANAJhIHNob3J0IHRleHQgdGhhdCByZXBlYXRzLCBuZCBlbmRzLgEAOzPHWnp/NA==")
    package static let checked = [gzip, zstd]
    private static let library = [
        zstd,
        CodedSample(
            "zstd without a checksum", "zstd",
            "KLUv/QBYVQEANAJhIHNob3J0IHRleHQgdGhhdCByZXBlYXRzLCBuZCBlbmRzLgEAOzPH"),
        CodedSample(
            "zstd in two members", "zstd",
            "KLUv/QRYoQAAYSBzaG9ydCB0ZXh0IHRoYXQgcmWzzHJkUCpNGAMAAABhYmMotS/9BGg1AQAyggcM0D2g2WR8aoETB8JaoWPkMUpf6v7S/bxSi0EvhAEB"
                + "ADsxxxK4DJI="),
        CodedSample("brotli", "br", "ofABACPgkCP9vIXeFieBQw7YvycB5lxjOiaWlA9nUAXei7CtONQ="),
        CodedSample(
            "brotli, fast", "br",
            "Ax8AAICqqqrq/3RluCvo8c4AwgByElEQ4YPCBpzLDmGGAeHsANYZPMRmj2F9w0lj9ETvwR5TAVXsHQ=="),
    ]
    #else
    package static let checked = [gzip]
    private static let library: [CodedSample] = []
    #endif

    /// Returns bytes in the gzip format.
    package static func gzip(_ bytes: Bytes) -> Bytes {
        var deflater = Deflater(level: 6)
        return deflater?.encode(bytes, isLast: true) ?? Bytes()
    }
}

internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The text that stands for a body in HAR: Unicode, whatever charset the body itself is in.
enum HARText {
    /// The body as text, or in base64 where that would not come back as the same bytes.
    static func write(_ bytes: Bytes, contentType: String) -> (text: String, isBase64: Bool) {
        // A UTF-8 body that calls itself Latin-1 would be read back in that charset.
        let isSafe = !isLatin1(contentType) || bytes.allSatisfy { $0 < 0x80 }
        guard isSafe, let text = String(validating: bytes, as: UTF8.self) else {
            return (bytes.data.base64EncodedString(), true)
        }
        return (text, false)
    }

    /// The bytes of a text in its charset: UTF-8, or ISO 8859-1 where the media type says so and it can hold the text.
    static func bytes(_ text: String, contentType: String) -> Bytes {
        let scalars = text.unicodeScalars
        guard isLatin1(contentType), scalars.allSatisfy({ $0.value < 0x100 }) else { return Bytes(text.utf8) }
        return Bytes(scalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    private static func isLatin1(_ contentType: String) -> Bool {
        let charset = MultipartPart.parameter("charset", of: contentType)?.lowercased() ?? ""
        return ["iso-8859-1", "iso_8859-1", "latin1", "l1"].contains(charset)
    }
}

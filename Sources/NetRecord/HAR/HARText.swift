internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The text of a body in HAR: always Unicode, whatever charset the body itself uses.
enum HARText {
    /// Returns the body as text, or as base64 if reading the text wouldn't restore the same bytes.
    static func write(_ bytes: Bytes, contentType: String) -> (text: String, isBase64: Bool) {
        // A UTF-8 body labeled as Latin-1 would be read back as Latin-1.
        let isSafe = !isLatin1(contentType) || bytes.allSatisfy { $0 < 0x80 }
        guard isSafe, let text = String(validating: bytes, as: UTF8.self) else {
            return (bytes.data.base64EncodedString(), true)
        }
        return (text, false)
    }

    /// Returns the text's bytes in its charset: ISO 8859-1 if the media type declares it and it can represent the text,
    /// otherwise UTF-8.
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

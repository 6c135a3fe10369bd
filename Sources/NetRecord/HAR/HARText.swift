package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The text of a body in HAR: always Unicode, whatever charset the body itself uses.
package enum HARText {
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
    package static func bytes(_ text: String, contentType: String) -> Bytes {
        let scalars = text.unicodeScalars
        guard isLatin1(contentType), scalars.allSatisfy({ $0.value < 0x100 }) else { return Bytes(text.utf8) }
        return Bytes(scalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    /// Returns the bytes of a body's text: text as it is, base64 (RFC 4648 sections 4 and 5), or a list of parts in
    /// hexadecimal or base64, as Polly.js writes bodies with a content coding.
    static func bytes(_ node: JSONNode, of owner: JSONNode, _ reader: DocumentReader) throws(RecordFileError) -> Bytes {
        let encoding = owner["encoding"]?.string ?? owner["_encoding"]?.string ?? ""
        let isBase64 = encoding.lowercased().hasPrefix("base64")
        if let parts = parts(of: node, isBinary: isBase64 || owner["_isBinary"]?.bool == true) {
            let texts = parts.compactMap(\.string)
            guard texts.count == parts.count, let bytes = joined(texts) else {
                throw reader.problem(node, "this isn't a list of parts in hexadecimal or base64")
            }
            return bytes
        }
        let text = try reader.string(node)
        guard isBase64 else { return bytes(text, contentType: owner["mimeType"]?.string ?? "") }
        guard let bytes = base64(text) else {
            throw reader.problem(node, "this isn't valid base64 (RFC 4648 section 4)")
        }
        return bytes
    }

    private static func parts(of node: JSONNode, isBinary: Bool) -> [JSONNode]? {
        if let array = node.array { return array }
        guard isBinary, let text = node.string, text.hasPrefix("[\"") else { return nil }
        return (try? JSONDocument(Bytes(text.utf8)).node())?.array
    }

    private static func joined(_ texts: [String]) -> Bytes? {
        let isHex = texts.allSatisfy { $0.utf8.count % 2 == 0 && $0.utf8.allSatisfy { hexDigit($0) != nil } }
        var bytes: [UInt8] = []
        for text in texts {
            if isHex {
                let digits = text.utf8.compactMap(hexDigit)
                for index in stride(from: 0, to: digits.count, by: 2) {
                    bytes.append(digits[index] << 4 | digits[index + 1])
                }
            } else {
                guard let part = base64(text) else { return nil }
                bytes += part
            }
        }
        return Bytes(bytes)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Decodes base64 or base64url, with or without padding and line breaks; nil for other text, such as a placeholder
    /// for a body that was removed.
    package static func base64(_ text: String) -> Bytes? {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
            default: plain.append(byte)
            }
        }
        while plain.count % 4 != 0, plain.last != nil { plain.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(plain)).map { Bytes($0) }
    }

    /// Returns true if the text of a body is shorter than its size. The size of a text is that of its bytes, in its own
    /// charset and with a byte order mark, which isn't in the text.
    static func isCut(_ bytes: Bytes, size: Int64, _ content: JSONNode) -> Bool {
        let missing = size - Int64(bytes.count)
        guard content["encoding"] == nil else { return missing > 0 }
        let charset = MultipartPart.parameter("charset", of: content["mimeType"]?.string ?? "")?.lowercased() ?? ""
        // These take more bytes than UTF-8.
        let isWide = ["utf-16", "utf-32", "utf-7", "iso-2022", "ucs-"].contains { charset.hasPrefix($0) }
        return isWide ? size > 4 * Int64(bytes.count) + 4 : missing > 3
    }

    /// Returns a text, a number or a Boolean as text; nil for other values.
    package static func scalar(_ node: JSONNode) -> String? {
        switch node.kind {
        case .string(let text): text
        case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
        case .bool(let value): String(value)
        case .null, .array, .object: nil
        }
    }

    private static func isLatin1(_ contentType: String) -> Bool {
        let charset = MultipartPart.parameter("charset", of: contentType)?.lowercased() ?? ""
        return ["iso-8859-1", "iso_8859-1", "latin1", "l1"].contains(charset)
    }
}

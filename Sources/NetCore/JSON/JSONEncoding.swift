/// The possible encodings of a JSON text.
enum JSONEncoding {
    case utf8
    case utf16(isBig: Bool)
    case utf32(isBig: Bool)

    /// Returns the text in UTF-8 without its byte order mark, and the length of a removed UTF-8 mark.
    ///
    /// - Throws: ``UnreadableJSON`` with `.encoding` for invalid UTF-16 or UTF-32. UTF-8 is checked when strings are
    ///   read.
    static func utf8(_ bytes: Bytes) throws(UnreadableJSON) -> (text: Bytes, markLength: Int) {
        let (encoding, markLength) = bytes.withUnsafeBytes { detect($0) }
        let body = markLength == 0 ? bytes : bytes[markLength..<bytes.count]
        switch encoding {
        case .utf8: return (body, markLength)
        case .utf16(let isBig): return (try converted(body, width: 2, isBig, as: UTF16.self), 0)
        case .utf32(let isBig): return (try converted(body, width: 4, isBig, as: UTF32.self), 0)
        }
    }

    /// Detects the encoding from a byte order mark, or else from the zero bytes among the first characters, which are
    /// ASCII (RFC 4627 section 3).
    private static func detect(_ bytes: UnsafeRawBufferPointer) -> (JSONEncoding, markLength: Int) {
        guard bytes.count >= 2 else { return (.utf8, 0) }
        let (first, second) = (bytes[0], bytes[1])
        // The common case: the text begins with two UTF-8 characters.
        if first != 0, second != 0, first < 0xef { return (.utf8, 0) }
        let third = bytes.count > 2 ? bytes[2] : nil
        let fourth = bytes.count > 3 ? bytes[3] : nil
        switch (first, second, third, fourth) {
        case (0, 0, 0xfe, 0xff): return (.utf32(isBig: true), 4)
        case (0xff, 0xfe, 0, 0): return (.utf32(isBig: false), 4)
        case (0xfe, 0xff, _, _): return (.utf16(isBig: true), 2)
        case (0xff, 0xfe, _, _): return (.utf16(isBig: false), 2)
        case (0xef, 0xbb, 0xbf, _): return (.utf8, 3)
        case (_, _, .some, nil): return (.utf8, 0)
        case (0, 0, 0, _): return (.utf32(isBig: true), 0)
        case (0, _, _, _): return (.utf16(isBig: true), 0)
        case (_, 0, 0, 0): return (.utf32(isBig: false), 0)
        case (_, 0, _, _): return (.utf16(isBig: false), 0)
        default: return (.utf8, 0)
        }
    }

    private static func converted<Encoding: Unicode.Encoding>(
        _ bytes: Bytes, width: Int, _ isBig: Bool, as encoding: Encoding.Type
    ) throws(UnreadableJSON) -> Bytes where Encoding.CodeUnit: FixedWidthInteger {
        guard bytes.count <= JSONDocument.maximumBytes else { throw .tooLarge(bytes.count) }
        let text = bytes.withUnsafeBytes { raw -> String? in
            guard raw.count % width == 0 else { return nil }
            let units = stride(from: 0, to: raw.count, by: width).lazy.map { offset in
                let unit = raw.loadUnaligned(fromByteOffset: offset, as: Encoding.CodeUnit.self)
                return isBig ? Encoding.CodeUnit(bigEndian: unit) : Encoding.CodeUnit(littleEndian: unit)
            }
            return String(validating: units, as: encoding)
        }
        guard let text else {
            throw UnreadableJSON(.encoding, "the text is not valid UTF-\(width * 8)", at: 0)
        }
        return Bytes(text.utf8)
    }
}

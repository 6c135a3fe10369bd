extension MediaType {
    /// The maximum number of bytes that ``sniff(_:)`` reads.
    public static let sniffedBytes = 4096

    /// Returns the type of a file by its first bytes; nil if they aren't conclusive, as in plain text.
    ///
    ///     let type = MediaType.sniff(Bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    ///     print(type?.essence ?? "")  // image/png
    public static func sniff(_ bytes: Bytes) -> MediaType? {
        let head = Array(bytes.prefix(sniffedBytes))
        for signature in signatures where signature.matches(head) { return MediaType(signature.type) }
        return isoMedia(head) ?? short(head) ?? container(head) ?? markup(head)
    }

    private struct Signature: Sendable {
        let offset: Int
        let bytes: [UInt8]
        let type: String

        func matches(_ head: [UInt8]) -> Bool {
            head.count >= offset + bytes.count && head[offset...].starts(with: bytes)
        }
    }

    private static func signature(_ text: String, _ type: String, at offset: Int = 0) -> Signature {
        // One byte per scalar, so that bytes above 127 can be written as \u{..}.
        Signature(offset: offset, bytes: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }, type: type)
    }

    /// The signatures, the most specific ones first.
    private static let signatures: [Signature] = [
        signature("\u{89}PNG\r\n\u{1a}\n", "image/png"), signature("\u{ff}\u{d8}\u{ff}", "image/jpeg"),
        signature("GIF87a", "image/gif"), signature("GIF89a", "image/gif"),
        signature("II*\0", "image/tiff"), signature("MM\0*", "image/tiff"),
        signature("8BPS", "image/vnd.adobe.photoshop"), signature("\0\0\u{1}\0", "image/vnd.microsoft.icon"),
        signature("\0\0\0\u{c}JXL \r\n\u{87}\n", "image/jxl"),
        signature("%PDF-", "application/pdf"), signature("%!PS", "application/postscript"),
        signature("{\\rtf", "text/rtf"),
        signature("\u{1f}\u{8b}\u{8}", "application/gzip"),
        signature("\u{fd}7zXZ\0", "application/x-xz"),
        signature("7z\u{bc}\u{af}'\u{1c}", "application/x-7z-compressed"),
        signature("(\u{b5}/\u{fd}", "application/zstd"), signature("Rar!\u{1a}\u{7}", "application/x-rar"),
        signature("ustar", "application/x-tar", at: 257), signature("SQLite format 3\0", "application/vnd.sqlite3"),
        signature("fLaC", "audio/flac"), signature("MThd\0\0\0\u{6}", "audio/midi"),
        signature("wOFF", "font/woff"), signature("wOF2", "font/woff2"), signature("OTTO\0", "font/otf"),
        signature("\0\u{1}\0\0\0", "font/sfnt"), signature("\0asm", "application/wasm"),
        signature("\u{7f}ELF", "application/x-executable"), signature("FLV\u{1}", "video/x-flv"),
    ]

    /// Checks signatures of two or three letters. A text could begin with them by chance, so more of the head is
    /// checked.
    private static func short(_ head: [UInt8]) -> MediaType? {
        // A bitmap has four zero bytes at offset 6, and the size of its header, at most 255, at offset 14.
        if head.count > 17, head.starts(with: "BM".utf8), head[6..<10].allSatisfy({ $0 == 0 }),
            head[15..<18].allSatisfy({ $0 == 0 })
        {
            return MediaType("image", "bmp")
        }
        // The block size, 1 to 9, then the marker of the first block, or of the end if there is none.
        if head.count > 9, head.starts(with: "BZh".utf8), (49...57).contains(head[3]),
            [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]].contains(head[4..<10])
        {
            return MediaType("application", "x-bzip2")
        }
        // The existing versions of ID3v2.
        if head.count > 3, head.starts(with: "ID3".utf8), (2...4).contains(head[3]) {
            return MediaType("audio", "mpeg")
        }
        // An MPEG frame: eleven set bits, then a version and a layer that aren't reserved.
        if head.count > 2, head[0] == 0xff, head[1] & 0xe0 == 0xe0, head[1] & 0x18 != 0x08, head[1] & 0x06 == 0x02,
            head[2] & 0xf0 != 0xf0
        {
            return MediaType("audio", "mpeg")
        }
        return nil
    }

    /// Checks the boxes of ISO 14496-12, which differ by their brand.
    private static func isoMedia(_ head: [UInt8]) -> MediaType? {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        switch String(decoding: head[8..<12], as: UTF8.self) {
        case "avif", "avis": return MediaType("image", "avif")
        case "heic", "heix", "heim", "heis": return MediaType("image", "heic")
        case "mif1", "msf1": return MediaType("image", "heif")
        case "M4A ", "M4B ": return MediaType("audio", "mp4")
        case "qt  ": return MediaType("video", "quicktime")
        case "3gp4", "3gp5", "3gp6", "3ge6", "3ge7", "3gg6": return MediaType("video", "3gpp")
        default: return MediaType("video", "mp4")
        }
    }

    /// Checks formats within a container: RIFF, Ogg, EBML, ZIP.
    private static func container(_ head: [UInt8]) -> MediaType? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            head.count >= offset + text.utf8.count && head[offset...].starts(with: text.utf8)
        }
        if has("RIFF") {
            if has("WEBP", at: 8) { return MediaType("image", "webp") }
            if has("WAVE", at: 8) { return MediaType("audio", "x-wav") }
            return has("AVI ", at: 8) ? MediaType("video", "x-msvideo") : nil
        }
        if has("OggS") {
            if has("OpusHead", at: 28) || has("\u{1}vorbis", at: 28) { return MediaType("audio", "ogg") }
            return has("theora", at: 29) ? MediaType("video", "ogg") : MediaType("application", "ogg")
        }
        if head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
            return contains("webm", head.prefix(64)) ? MediaType("video", "webm") : MediaType("video", "x-matroska")
        }
        if has("PK\u{3}\u{4}") || has("PK\u{5}\u{6}") { return zip(head) }
        if head.starts(with: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) {
            return MediaType("application", "x-ole-storage")
        }
        return nil
    }

    private static func contains(_ text: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        let needle = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: needle) }
    }
}

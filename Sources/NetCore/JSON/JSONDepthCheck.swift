#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Checks the nesting depth of a document that a `JSONDecoder` parses itself: Foundation's parser traps on some
/// documents that are too deep.
///
/// Counts brackets outside strings and JSON5 comments in a single pass. It detects no other error; if the text isn't
/// JSON, the decoder stops before it could reach more open brackets than this check.
struct JSONDepthCheck {
    private let isJSON5: Bool
    private let input: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var depth: Int

    /// Returns the text in UTF-8.
    ///
    /// - Throws: ``UnreadableJSON`` for text that is too deep, or can't be converted to UTF-8.
    static func checked(_ bytes: Bytes, for decoder: JSONDecoder) throws(UnreadableJSON) -> Bytes {
        let (text, _) = try JSONEncoding.utf8(bytes)
        let isJSON5 = decoder.allowsJSON5
        let depth = decoder.assumesTopLevelDictionary ? 1 : 0
        try text.withUnsafeBytes { raw throws(UnreadableJSON) in
            // The decoder would take zero bytes here for another encoding.
            guard !raw.prefix(4).contains(0) else {
                throw UnreadableJSON(.malformed, "it begins with a zero byte", at: 0)
            }
            var check = JSONDepthCheck(
                isJSON5: isJSON5, input: raw.assumingMemoryBound(to: UInt8.self), depth: depth)
            try check.run()
        }
        return text
    }

    private mutating func run() throws(UnreadableJSON) {
        guard depth + input.count > JSONCoding.maximumDepth else { return }
        while index < input.count {
            let byte = input[index]
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= JSONCoding.maximumDepth else { throw .tooDeep(at: index) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "\""): skipString(byte)
            case UInt8(ascii: "'") where isJSON5: skipString(byte)
            case UInt8(ascii: "/") where isJSON5: skipComment()
            default: break
            }
            index += 1
        }
    }

    /// Advances to the closing quotation mark.
    private mutating func skipString(_ quote: UInt8) {
        index += 1
        while index < input.count, input[index] != quote {
            index += input[index] == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    /// Advances to the last byte of the comment.
    private mutating func skipComment() {
        guard index + 1 < input.count else { return }
        switch input[index + 1] {
        case UInt8(ascii: "/"):
            while index < input.count, input[index] != 0x0a, input[index] != 0x0d { index += 1 }
        case UInt8(ascii: "*"):
            index += 3
            while index < input.count,
                input[index] != UInt8(ascii: "/") || input[index - 1] != UInt8(ascii: "*")
            { index += 1 }
        default: break
        }
    }

    private init(isJSON5: Bool, input: UnsafeBufferPointer<UInt8>, depth: Int) {
        self.isJSON5 = isJSON5
        self.input = input
        self.depth = depth
    }
}

/// A checked JSON text (RFC 8259) and an index of its values; numbers and strings are converted on demand.
///
/// Reading takes linear time and doesn't recurse. UTF-8, with or without a byte order mark, is read in place; UTF-16
/// and UTF-32 are recognized as in RFC 4627 section 3 and converted first.
package struct JSONDocument: Sendable {
    /// Offsets are 32 bits wide.
    static let maximumBytes = Int(UInt32.max)

    /// The text in UTF-8, without a byte order mark.
    let bytes: Bytes
    /// The values in the order of the text; the first one is the document itself.
    let entries: [JSONEntry]
    /// The number of bytes of a byte order mark before the text.
    let markLength: Int
    /// True if half of a surrogate pair in an escape is read as U+FFFD; otherwise it is an error.
    let replacesLoneSurrogates: Bool

    /// Reads a text.
    ///
    /// - Throws: ``UnreadableJSON`` for text that isn't JSON, nests too deeply, or can't be converted to UTF-8.
    package init(_ source: Bytes, replacesLoneSurrogates: Bool = false) throws(UnreadableJSON) {
        let (text, markLength) = try JSONEncoding.utf8(source)
        bytes = text
        self.markLength = markLength
        self.replacesLoneSurrogates = replacesLoneSurrogates
        guard text.count < Self.maximumBytes else { throw .tooLarge(text.count) }
        entries = try text.withUnsafeBytes { raw throws(UnreadableJSON) in
            do throws(UnreadableJSON) {
                return try JSONParser.parse(raw.assumingMemoryBound(to: UInt8.self))
            } catch {
                throw error.shifted(by: markLength)
            }
        }
    }

    /// Returns the index of the entry after a value and its descendants.
    func next(after index: Int) -> Int {
        let entry = entries[index]
        return entry.isContainer ? Int(entry.extent) : index + 1
    }

    /// Calls `body` with the bytes of a scalar.
    func withText<Result, Failure: Error>(
        of entry: JSONEntry, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBytes { raw throws(Failure) in
            let start = Int(entry.offset)
            let slice = UnsafeRawBufferPointer(rebasing: raw[start..<(start + Int(entry.extent))])
            return try body(slice.assumingMemoryBound(to: UInt8.self))
        }
    }
}

extension UnreadableJSON {
    fileprivate func shifted(by count: Int) -> UnreadableJSON {
        count == 0 ? self : UnreadableJSON(reason, problem, at: byteOffset + count, place: place)
    }
}

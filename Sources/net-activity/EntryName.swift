#if Tools
internal import NetCore

/// Distinguishes the ways in which a command line names entries: by an ID, by its beginning or end, or by a filter.
enum EntryName {
    /// Returns true if the word can be a part of an ID: hexadecimal digits and hyphens.
    static func isID(_ word: String) -> Bool {
        !word.isEmpty
            && word.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || isLetter($0) || $0 == 0x2d }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
    }
}
#endif

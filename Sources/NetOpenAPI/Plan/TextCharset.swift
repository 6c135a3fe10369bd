/// A character encoding that NetCore encodes and decodes.
struct TextCharset: Hashable {
    /// The name of the static member of NetCore's `Charset`.
    let member: String

    /// Creates the charset with this name or alias; nil if NetCore doesn't support it.
    init?(named name: String) {
        guard let member = Self.members[name.lowercased()] else { return nil }
        self.member = member
    }

    var isUTF8: Bool { member == "utf8" }

    /// The names of NetCore's charsets, each with its member; repeated here because the generator doesn't link NetCore.
    static let members: [String: String] = {
        let names = [
            "utf8": "utf-8 utf8 csutf8",
            "ascii":
                "us-ascii ascii us iso646-us iso_646.irv:1991 iso-ir-6 ansi_x3.4-1968 ansi_x3.4-1986 ibm367 cp367 csascii",
            "latin1": "iso-8859-1 iso8859-1 iso_8859-1 iso_8859-1:1987 iso-ir-100 latin1 l1 ibm819 cp819 csisolatin1",
            "windows1252": "windows-1252 cp1252 x-cp1252 cswindows1252",
            "utf16": "utf-16 utf16 csutf16", "utf16BigEndian": "utf-16be csutf16be",
            "utf16LittleEndian": "utf-16le csutf16le",
            "utf32": "utf-32 utf32 csutf32", "utf32BigEndian": "utf-32be csutf32be",
            "utf32LittleEndian": "utf-32le csutf32le",
        ]
        var members: [String: String] = [:]
        for (member, list) in names {
            for name in list.split(separator: " ") { members[String(name)] = member }
        }
        return members
    }()
}

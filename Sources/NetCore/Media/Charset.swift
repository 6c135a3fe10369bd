/// The character encoding of a text body.
///
/// Supports UTF-8, UTF-16 and UTF-32 in both byte orders, US-ASCII, ISO 8859-1 and Windows-1252, by all names and
/// aliases in the IANA registry.
///
///     let charset = Charset(name: "Latin1")
///     print(charset?.decode(Bytes([0x63, 0x61, 0x66, 0xe9])) ?? "")  // café
public struct Charset: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case utf8, ascii, latin1, windows1252
        /// Two or four bytes per unit. Without a byte order, a byte order mark determines it; the default is
        /// big-endian.
        case wide(bytes: Int, isBigEndian: Bool?)
    }

    /// The preferred name: `utf-8`.
    public let name: String
    let kind: Kind

    public static let utf8 = Charset(name: "utf-8", kind: .utf8)
    public static let ascii = Charset(name: "us-ascii", kind: .ascii)
    public static let latin1 = Charset(name: "iso-8859-1", kind: .latin1)
    public static let windows1252 = Charset(name: "windows-1252", kind: .windows1252)
    /// UTF-16 in the byte order of its byte order mark; big-endian without one (RFC 2781 section 4.3). Written with a
    /// mark.
    public static let utf16 = Charset(name: "utf-16", kind: .wide(bytes: 2, isBigEndian: nil))
    public static let utf16BigEndian = Charset(name: "utf-16be", kind: .wide(bytes: 2, isBigEndian: true))
    public static let utf16LittleEndian = Charset(name: "utf-16le", kind: .wide(bytes: 2, isBigEndian: false))
    /// UTF-32 in the byte order of its byte order mark; big-endian without one. Written with a mark.
    public static let utf32 = Charset(name: "utf-32", kind: .wide(bytes: 4, isBigEndian: nil))
    public static let utf32BigEndian = Charset(name: "utf-32be", kind: .wide(bytes: 4, isBigEndian: true))
    public static let utf32LittleEndian = Charset(name: "utf-32le", kind: .wide(bytes: 4, isBigEndian: false))

    private init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Creates the charset with a name or alias, ignoring case; nil if it's unknown.
    public init?(name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8", "csutf8": self = .utf8
        case "us-ascii", "ascii", "us", "iso646-us", "iso_646.irv:1991", "iso-ir-6", "ansi_x3.4-1968", "ansi_x3.4-1986",
            "ibm367", "cp367", "csascii":
            self = .ascii
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "iso_8859-1:1987", "iso-ir-100", "latin1", "l1", "ibm819",
            "cp819",
            "csisolatin1":
            self = .latin1
        case "windows-1252", "cp1252", "x-cp1252", "cswindows1252": self = .windows1252
        case "utf-16", "utf16", "csutf16": self = .utf16
        case "utf-16be", "csutf16be": self = .utf16BigEndian
        case "utf-16le", "csutf16le": self = .utf16LittleEndian
        case "utf-32", "utf32", "csutf32": self = .utf32
        case "utf-32be", "csutf32be": self = .utf32BigEndian
        case "utf-32le", "csutf32le": self = .utf32LittleEndian
        default: return nil
        }
    }
}

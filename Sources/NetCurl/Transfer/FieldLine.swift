#if os(Linux)
internal import CCurl
internal import HTTPTypes

/// A header line in libcurl's format: `Name: value`, or `Name;` for an empty value.
enum FieldLine {
    case text(String)
    /// Bytes, terminated by NUL. A value that isn't UTF-8 is sent byte for byte: such bytes are opaque (RFC 9110
    /// section 5.5), and in a string each would become U+FFFD.
    case bytes([UInt8])

    init(_ field: HTTPField) {
        let value = field.value
        // The first byte of U+FFFD, which few values contain.
        if value.utf8.contains(0xEF) {
            let bytes = field.withUnsafeBytesOfValue { Array($0) }
            self = .bytes(Array("\(field.name.rawName): ".utf8) + bytes + [0])
        } else {
            self = .text(value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(value)")
        }
    }

    /// Returns the list with this line appended; nil if out of memory, when the previous list stays valid.
    func appended(to list: UnsafeMutablePointer<curl_slist>?) -> UnsafeMutablePointer<curl_slist>? {
        switch self {
        case .text(let text): curl_slist_append(list, text)
        case .bytes(let bytes):
            bytes.withUnsafeBytes { curl_slist_append(list, $0.bindMemory(to: CChar.self).baseAddress) }
        }
    }
}
#endif

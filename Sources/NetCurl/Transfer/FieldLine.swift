#if os(Linux)
internal import CCurl
internal import HTTPTypes

/// One field as libcurl takes it: `Name: value`, or `Name;` for an empty one.
enum FieldLine {
    case text(String)
    /// With a NUL behind it. A value that is no UTF-8 goes out byte for byte: what such bytes mean is not ours to say (RFC 9110
    /// section 5.5), and as text each would become U+FFFD.
    case bytes([UInt8])

    init(_ field: HTTPField) {
        let value = field.value
        // The first byte of U+FFFD, which few values have.
        if value.utf8.contains(0xEF) {
            let bytes = field.withUnsafeBytesOfValue { Array($0) }
            self = .bytes(Array("\(field.name.rawName): ".utf8) + bytes + [0])
        } else {
            self = .text(value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(value)")
        }
    }

    /// The longer list; nil where there is no memory for it, and the one before stays.
    func appended(to list: UnsafeMutablePointer<curl_slist>?) -> UnsafeMutablePointer<curl_slist>? {
        switch self {
        case .text(let text): curl_slist_append(list, text)
        case .bytes(let bytes):
            bytes.withUnsafeBytes { curl_slist_append(list, $0.bindMemory(to: CChar.self).baseAddress) }
        }
    }
}
#endif

internal import HTTPTypes
internal import NetCore

extension ResponseHead {
    /// The file name in `Content-Disposition` as browsers read it; nil if there is none, or if the header occurs with
    /// different values. It may be a path.
    ///
    /// Bytes that aren't UTF-8 are ISO 8859-1. In `filename`, percent-encoded UTF-8 and encoded words (RFC 2047) are
    /// decoded, though RFC 6266 defines neither; `filename*` takes precedence (RFC 6266 section 4.3).
    package var fileName: String? {
        let values = headers[fields: .contentDisposition].map { field in
            field.withUnsafeBytesOfValue { DownloadName.text(Array($0)) }
        }
        guard let text = values.first, values.allSatisfy({ $0 == text }),
            let name = ContentDisposition(text)?.filename
        else { return nil }
        guard !text.lowercased().contains("filename*") else { return name }
        return Self.word(name) ?? Self.unescaped(name) ?? name
    }

    /// Decodes percent-encoded UTF-8; nil for another text.
    private static func unescaped(_ name: String) -> String? {
        guard name.utf8.contains(UInt8(ascii: "%")), name.utf8.allSatisfy({ $0 < 128 }) else { return nil }
        return String(validating: PercentEncoding.bytes(name), as: UTF8.self)
    }

    /// Decodes an encoded word, such as `=?UTF-8?B?Y2Fmw6k=?=`; nil for another text.
    private static func word(_ name: String) -> String? {
        let parts = name.split(separator: "?", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "=", parts[4] == "=", let charset = Charset(name: String(parts[1])) else {
            return nil
        }
        switch parts[2].lowercased() {
        case "b":
            guard case .success(let bytes) = Base64.decode(Array(parts[3].utf8)[...]) else { return nil }
            return charset.decode(Bytes(bytes))
        case "q":
            let text = parts[3].replacing("_", with: " ").replacing("%", with: "%25").replacing("=", with: "%")
            return charset.decode(Bytes(PercentEncoding.bytes(text)))
        default: return nil
        }
    }
}

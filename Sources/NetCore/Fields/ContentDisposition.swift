public import HTTPTypes

/// The value of the `Content-Disposition` header of a body or a part (RFC 6266, RFC 7578 section 4.2).
///
///     let disposition = ContentDisposition("form-data; name=\"photo\"; filename=\"cat.png\"")
///     print(disposition?.name ?? "", disposition?.filename ?? "")  // photo cat.png
///     print(ContentDisposition(kind: "attachment", filename: "naïve.txt").value)
///     // attachment; filename="na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt
public struct ContentDisposition: Sendable, Hashable {
    /// The kind in lowercase, such as `form-data` or `attachment`.
    public let kind: String
    /// The name of a form field; nil if there is none. WHATWG escapes, such as `%22`, are kept.
    public let name: String?
    /// The file name; nil if there is none. It may be a path, so don't open it unchecked.
    ///
    /// `filename*` (RFC 8187) takes precedence over `filename`, unless it's malformed.
    public let filename: String?

    /// Creates a value.
    public init(kind: String, name: String? = nil, filename: String? = nil) {
        self.kind = kind.lowercased()
        self.name = name
        self.filename = filename
    }

    /// Parses a header value; nil if it's malformed.
    ///
    /// The header of a response is parsed as browsers do: a file name without quotes may contain blanks, commas and
    /// non-ASCII letters and ends at a semicolon, a quoted one without a closing quotation mark extends to the end of
    /// the text, and anything that isn't a parameter is skipped. `form-data` is parsed strictly, since two parsers of a
    /// form must not disagree about its parts.
    public init?(_ text: String) {
        var reader = FieldValueReader(text)
        guard let kind = reader.token()?.lowercased() else { return nil }
        // Browsers don't escape backslashes, so only a backslash before a quotation mark is an escape.
        let parameters =
            kind == "form-data" ? reader.parameters(keepingBackslashes: true) : reader.receivedParameters()
        guard let parameters, reader.isAtEnd else { return nil }
        self.kind = kind
        name = parameters.first { $0.name == "name" }?.value
        filename =
            parameters.first { $0.name == "filename*" }.flatMap { ExtendedValue.decode($0.value) }
            ?? parameters.first { $0.name == "filename" }?.value
    }

    /// The header value.
    ///
    /// A file name that isn't ASCII is written as `filename*`, and for old parsers as `filename` with `_` in place of
    /// non-ASCII characters. In `form-data`, where RFC 7578 section 4.2 forbids `filename*`, it's written as UTF-8.
    /// Control characters are percent-encoded in both, and quotation marks in `form-data`, as in browsers.
    public var value: String {
        var text = kind
        if let name { text += "; name=\(quoted(name))" }
        guard let filename else { return text }
        guard kind != "form-data", !filename.utf8.allSatisfy({ $0 < 128 }) else {
            return text + "; filename=\(quoted(filename))"
        }
        let plain = String(String.UnicodeScalarView(filename.unicodeScalars.map { $0.isASCII ? $0 : "_" }))
        return text + "; filename=\(quoted(plain)); filename*=\(ExtendedValue.encode(filename))"
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += kind == "form-data" ? "%22" : "\\\""
            // A parser that supports escapes reads a single backslash as one.
            case "\\" where kind != "form-data": result += "\\\\"
            case "\0"..."\u{1f}", "\u{7f}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "%\(digits.count == 1 ? "0" : "")\(digits)"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension HTTPFields {
    /// The `Content-Disposition` header; nil if it's absent or malformed, or if it occurs with different values.
    public var disposition: ContentDisposition? {
        let values = self[values: .contentDisposition]
        guard let first = values.first, values.dropFirst().allSatisfy({ $0 == first }) else { return nil }
        return ContentDisposition(first)
    }
}

public import HTTPTypes

/// What `Content-Disposition` says of a body or part (RFC 6266, RFC 7578 section 4.2).
///
///     let disposition = ContentDisposition("form-data; name=\"photo\"; filename=\"cat.png\"")
///     print(disposition?.name ?? "", disposition?.filename ?? "")  // photo cat.png
///     print(ContentDisposition(kind: "attachment", filename: "naïve.txt").value)
///     // attachment; filename="na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt
public struct ContentDisposition: Sendable, Hashable {
    /// The kind: `form-data`, `attachment`; lower-cased.
    public let kind: String
    /// The name of a form's field; nil where there is none. Escapes of the WHATWG, such as `%22`, are left as they are.
    public let name: String?
    /// The file name; nil where there is none. It may be a path: never open it as it is.
    ///
    /// `filename*` (RFC 8187) is taken before `filename`, unless it is malformed.
    public let filename: String?

    /// Puts the parts together.
    public init(kind: String, name: String? = nil, filename: String? = nil) {
        self.kind = kind.lowercased()
        self.name = name
        self.filename = filename
    }

    /// Reads a field value; nil where it is malformed.
    ///
    /// That of a response is read as browsers do: a file name without quotes may hold blanks, commas and other letters than
    /// ASCII's and ends at a semicolon, one in quotes without an end ends with the text, and what is no parameter is passed
    /// over. In `form-data` nothing is mended: two readers of a form must not take one part for another.
    public init?(_ text: String) {
        var reader = FieldValueReader(text)
        guard let kind = reader.token()?.lowercased() else { return nil }
        // Browsers escape no backslash, so only one before a quotation mark escapes.
        let parameters =
            kind == "form-data" ? reader.parameters(keepingBackslashes: true) : reader.receivedParameters()
        guard let parameters, reader.isAtEnd else { return nil }
        self.kind = kind
        name = parameters.first { $0.name == "name" }?.value
        filename =
            parameters.first { $0.name == "filename*" }.flatMap { ExtendedValue.decode($0.value) }
            ?? parameters.first { $0.name == "filename" }?.value
    }

    /// The field value.
    ///
    /// A file name that is not ASCII is written as `filename*`, with `_` for what ASCII lacks in the `filename` of old
    /// readers; in `form-data`, where RFC 7578 section 4.2 forbids that, as UTF-8. Control characters are percent-encoded in
    /// both, and quotation marks in `form-data` as browsers do.
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
            // A reader that knows escapes takes a single backslash for one.
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
    /// `Content-Disposition`; nil where it is absent, malformed, or there more than once with different values.
    public var disposition: ContentDisposition? {
        let values = self[values: .contentDisposition]
        guard let first = values.first, values.dropFirst().allSatisfy({ $0 == first }) else { return nil }
        return ContentDisposition(first)
    }
}

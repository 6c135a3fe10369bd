internal import HTTPTypes
internal import NetCore

/// Lists of texts in an outbox's storage format, one per line.
enum OutboxText {
    /// Returns headers as lines `name: value`. Names and values contain no line breaks (RFC 9110 section 5.5).
    static func headers(_ fields: HTTPFields) -> String {
        fields.map { "\($0.name.rawName): \($0.value)" }.joined(separator: "\n")
    }

    /// Parses headers; skips invalid lines.
    static func headers(_ text: String) -> HTTPFields {
        var fields = HTTPFields()
        for line in text.unicodeScalars.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                continue
            }
            fields.append(HTTPField(name: name, value: String(line[colon...].dropFirst(2))))
        }
        return fields
    }

    /// Returns the texts as lines; their own line breaks are replaced by spaces.
    static func list(_ texts: [String]) -> String {
        texts.map { String(String.UnicodeScalarView($0.unicodeScalars.map { $0 == "\n" ? " " : $0 })) }
            .joined(separator: "\n")
    }

    static func list(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n").map { String($0) }
    }
}

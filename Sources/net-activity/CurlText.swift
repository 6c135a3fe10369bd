#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetStore

/// A stored call as a curl command.
struct CurlText {
    let text: String

    /// Nil for an entry without a URL, and without such an attempt.
    init?(_ detail: StoredDetail, attempt number: Int? = nil) {
        let attempt = number.map { wanted in detail.attempts.first { $0.number == wanted } } ?? detail.attempts.last
        guard number == nil || attempt != nil, let url = attempt?.url ?? detail.item.url,
            let method = HTTPRequest.Method(attempt?.method ?? detail.item.method ?? "GET")
        else { return nil }
        let exchange = detail.exchanges.last { $0.number == attempt?.number }
        var fields = HTTPFields()
        for field in exchange?.requestFields ?? [] {
            if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
        }
        let place = URLReference(url)
        let head = HTTPRequest(
            method: method, scheme: place.scheme, authority: place.authority,
            path: place.path + (place.query.map { "?\($0)" } ?? ""), headerFields: fields)
        let body = exchange?.request.map { RequestBody.Content.bytes($0.bytes) } ?? .none
        // It is redacted already.
        let command = PreparedRequest(head: head, body: body).curl(redaction: .disabled)
        let isCut = exchange?.request?.isCut == true
        let missing =
            exchange == nil
            ? " # headers and body were not captured" : isCut ? " # only the beginning of the body was captured" : ""
        text = Self.withVariables(Self.withoutControls(command)) + missing
    }

    /// The command with escapes of bash and zsh in place of characters that would steer a terminal. All of them stand
    /// within single quotes.
    static func withoutControls(_ command: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in command.unicodeScalars {
            let isKept = scalar == "\n" || scalar == "\t" || TerminalText.clean(String(scalar)) == String(scalar)
            if isKept {
                text.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16)
                text += "'$'\\U\(String(repeating: "0", count: 8 - digits.count))\(digits)''".unicodeScalars
            }
        }
        return String(text)
    }

    /// The command with a variable in place of each hidden value.
    static func withVariables(_ command: String) -> String {
        var (rest, text) = (command[...], "")
        while let start = rest.firstRange(of: "<redacted"), let end = rest[start.upperBound...].firstIndex(of: ">") {
            text += rest[..<start.lowerBound]
            // It stands within single quotes, as all that has such a mark.
            text += "'\"$\(variable(before: text))\"'"
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    /// The name of the header, item or member whose value follows: `Authorization: Bearer `, `api_key=`, `"password":"`.
    private static func variable(before text: String) -> String {
        let line = text.suffix(200).split(separator: "\n").last ?? ""
        let header = line.firstRange(of: "-H '").map { line[$0.upperBound...] }
        let named = header?.split(separator: ":", maxSplits: 1).first ?? lastWord(line)
        let letters = named.unicodeScalars.map { scalar -> Character in
            let isWord = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isWord ? Character(scalar) : "_"
        }
        let name = String(letters).uppercased()
        guard let first = name.first, !first.isNumber, name.contains(where: \.isLetter) else { return "SECRET" }
        return name
    }

    /// The last word before a sign that separates it from its value; empty where the value is a part of a path.
    private static func lastWord(_ line: Substring) -> Substring {
        let isWord = { (letter: Character) in letter.isLetter || letter.isNumber || "_-[].".contains(letter) }
        guard let sign = line.lastIndex(where: { "=:/".contains($0) }), line[sign] != "/" else { return "" }
        let before = line[..<sign]
        guard let end = before.lastIndex(where: isWord) else { return "" }
        let start = before[..<end].lastIndex { !isWord($0) }.map(before.index(after:)) ?? before.startIndex
        return before[start...end]
    }
}
#endif

#if Tools
internal import NetCore

/// Finds the hidden places in a request and names them for the people who must fill them.
enum HiddenPlaces {
    /// Returns the hidden places in a body: `$.password`, `field pin`, or only that there is one.
    static func inBody(_ body: Bytes, contentType: String?) -> [String] {
        if let json = JSONTreeReader.read(body) {
            var places: [String] = []
            collect(json, path: "$", isSensitive: false, into: &places)
            return places
        }
        guard !HiddenMark.places(in: body).isEmpty else { return [] }
        guard contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true else {
            return ["a part of it"]
        }
        return inItems(String(decoding: body, as: UTF8.self)).map { "field \($0)" }
    }

    /// Returns the names of the items with hidden values in a query or form.
    static func inItems(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "&" || $0 == ";" }).filter { HiddenMark.isIn(String($0)) }.map { item in
            TerminalText.clean(PercentEncoding.decode(item.prefix { $0 != "=" }, plusIsSpace: true))
        }
    }

    /// Within a sensitive member, numbers are hidden as 0, and other values keep their type.
    private static func collect(_ value: JSONTree, path: String, isSensitive: Bool, into places: inout [String]) {
        switch value {
        case .object(let members):
            for key in members.keys.sorted() {
                guard let member = members[key] else { continue }
                collect(
                    member, path: path + JSONDifferences.step(key),
                    isSensitive: isSensitive || RedactionPolicy.safeDefault.isSensitive(bodyName: key), into: &places)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                collect(element, path: "\(path)[\(index)]", isSensitive: isSensitive, into: &places)
            }
        case .string(let text): if HiddenMark.isIn(text) { places.append(path) }
        case .number(let number): if isSensitive, number == JSONFigure("0") { places.append(path) }
        case .null, .bool: break
        }
    }
}
#endif

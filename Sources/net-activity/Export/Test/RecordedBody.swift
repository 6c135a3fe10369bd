#if Tools
internal import HTTPTypes
internal import NetCore

/// The lines of a test that check the body of a response.
struct RecordedBody {
    private let response: CapturedExchange.Response
    private let bytes: Bytes

    init(_ response: CapturedExchange.Response) {
        self.response = response
        bytes = response.body.bytes
    }

    /// The lines that check the body: up to three values of JSON, all of a short text, otherwise the size.
    var expectations: [String] {
        if bytes.isEmpty { return ["#expect(response.value.isEmpty)"] }
        if let json = try? JSONCoding.standard.decode(JSONValue.self, from: bytes),
            json.objectValue != nil || json.arrayValue != nil
        {
            return ["let json = try JSONCoding.standard.decode(JSONValue.self, from: response.value)"] + lines(of: json)
        }
        if bytes.count <= 100, let text = String(validating: Array(bytes), as: UTF8.self) {
            return ["#expect(String(decoding: response.value, as: UTF8.self) == \(SwiftText.literal(text)))"]
        }
        return ["#expect(response.value.count == \(bytes.count))"]
    }

    private func lines(of json: JSONValue) -> [String] {
        if let array = json.arrayValue {
            return ["#expect(json.arrayValue?.count == \(array.count))"]
                + (array.first.map { values(of: $0, at: "json[0]?") } ?? [])
        }
        let expected = values(of: json, at: "json")
        return expected.isEmpty ? ["#expect(json.objectValue?.count == \(json.objectValue?.count ?? 0))"] : expected
    }

    private func values(of json: JSONValue, at place: String) -> [String] {
        let members = (json.objectValue ?? [:]).sorted { $0.key < $1.key }
        return members.lazy.compactMap { name, value in literal(value).map { (name, $0) } }.prefix(3).map {
            name, value in
            "#expect(\(place)[\(SwiftText.literal(name))] == \(value))"
        }
    }

    /// Returns the literal; nil for an array, an object, null, a fraction, and a long or hidden text.
    private func literal(_ value: JSONValue) -> String? {
        switch value {
        case .bool(let bool): return "\(bool)"
        case .integer(let number): return "\(number)"
        case .string(let text) where text.count <= 80:
            return text.contains(RedactionPolicy.safeDefault.placeholder) ? nil : SwiftText.literal(text)
        default: return nil
        }
    }
}
#endif

public import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension NetError {
    /// The response that came with a failure, with its body truncated to 64 KiB.
    public struct FailedResponse: Sendable {
        /// The status and headers.
        public let head: ResponseHead
        /// The first 64 KiB of the body. It may contain secrets: nothing in this library prints it except
        /// ``NetError/debugSummary``, which hides them.
        public let body: Bytes

        /// Creates a response from the head and the first 64 KiB of the body.
        public init(head: ResponseHead, body: Bytes) {
            self.head = head
            self.body = body.count <= 65_536 ? body : body[0..<65_536]
        }

        /// The headers in order.
        public var headers: HTTPFields { head.headers }

        /// The value of a header, multiple values joined by `, `; nil if it's absent.
        public subscript(name: HTTPField.Name) -> String? { head[name] }

        /// The body as text, in the charset that `Content-Type` names, or else in UTF-8; nil if it's valid in neither.
        /// An incomplete character at the end is omitted.
        public var text: String? { Charset.text(of: body, head) }

        /// The body as indented JSON with members sorted by name, including any secrets; nil if it isn't JSON or was
        /// truncated.
        public var prettyJSON: String? { json?.pretty }

        var json: JSONValue? { try? JSONCoding.standard.decode(JSONValue.self, from: body) }
    }
}

extension Charset {
    /// Returns a body as text, in the charset that its head names, or else in UTF-8; nil if it's valid in neither.
    static func text(of body: Bytes, _ head: ResponseHead) -> String? {
        if let named = head.receivedCharset.flatMap({ Charset(name: $0) }), let text = named.beginning(of: body) {
            return text
        }
        return Charset.utf8.beginning(of: body)
    }

    /// Returns the text of bytes that may end within a character, which is then omitted.
    private func beginning(of body: Bytes) -> String? {
        if let text = decode(body) { return text }
        // Shorter bodies weren't truncated.
        guard body.count >= RejectedResponse.streamedBytes else { return nil }
        return (1...3).lazy.compactMap { decode(body[0..<(body.count - $0)]) }.first
    }
}

extension JSONValue {
    /// The value as indented JSON, with members sorted by name.
    var pretty: String? { text([.prettyPrinted, .sortedKeys]) }

    /// The value as JSON in one line, with members sorted by name.
    var compact: String? { text(.sortedKeys) }

    private func text(_ formatting: JSONEncoder.OutputFormatting) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union(.withoutEscapingSlashes)
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the value with its secrets hidden according to the policy.
    func redacted(by policy: RedactionPolicy) -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.redacted(by: policy) })
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        switch policy.verdict(bodyName: name) {
                        case .shown: (name, value.redacted(by: policy))
                        case .hiddenText: (name, value.withoutTexts(by: policy))
                        case .hidden:
                            (name, .string(value.stringValue.map { policy.hidden($0) } ?? policy.placeholder))
                        }
                    }))
        case .string(let text): .string(policy.redactedText(text) ?? policy.redact(url: text))
        case .null, .bool, .integer, .unsigned, .number, .decimal: self
        }
    }
    /// Returns the value under a name that hides only texts.
    private func withoutTexts(by policy: RedactionPolicy) -> JSONValue {
        switch self {
        case .string(let text): .string(policy.hidden(text))
        case .array(let elements): .array(elements.map { $0.withoutTexts(by: policy) })
        default: redacted(by: policy)
        }
    }
}

public import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension NetError {
    /// The response that came with a failure, its body cut to 64 KiB.
    public struct FailedResponse: Sendable {
        /// Status and fields.
        public let head: ResponseHead
        /// The first 64 KiB of the body. It may hold secrets: nothing in this library prints it but ``NetError/debugSummary``,
        /// which hides them.
        public let body: Bytes

        /// Keeps the head and the body's first 64 KiB.
        public init(head: ResponseHead, body: Bytes) {
            self.head = head
            self.body = body.count <= 65_536 ? body : body[0..<65_536]
        }

        /// The fields in their order.
        public var fields: HTTPFields { head.fields }

        /// The value of a field, several values joined by `, `; nil when it is absent.
        public subscript(name: HTTPField.Name) -> String? { head[name] }

        /// The body as text: in the charset that `Content-Type` names, else UTF-8. Nil where it is neither. A character that is
        /// cut off at the end is left out.
        public var text: String? { Charset.text(of: body, head) }

        /// The body as indented JSON, members sorted by name, secrets and all. Nil where it is no JSON, or was cut.
        public var prettyJSON: String? { json?.pretty }

        var json: JSONValue? { try? JSONCoding.standard.decode(JSONValue.self, from: body) }
    }
}

extension Charset {
    /// A body as text: in the charset that its head names, else in UTF-8.
    static func text(of body: Bytes, _ head: ResponseHead) -> String? {
        if let named = head.receivedCharset.flatMap({ Charset(name: $0) }), let text = named.beginning(of: body) {
            return text
        }
        return Charset.utf8.beginning(of: body)
    }

    /// The text of bytes that may have been cut within a character, which is left out then.
    private func beginning(of body: Bytes) -> String? {
        if let text = decode(body) { return text }
        // Shorter bodies are kept whole.
        guard body.count >= RejectedResponse.streamedBytes else { return nil }
        return (1...3).lazy.compactMap { decode(body[0..<(body.count - $0)]) }.first
    }
}

extension JSONValue {
    /// Indented, members sorted by name.
    var pretty: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same with the members hidden that the policy names.
    func redacted(by policy: RedactionPolicy) -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.redacted(by: policy) })
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (
                            name,
                            policy.isSensitive(bodyName: name)
                                ? .string(policy.placeholder) : value.redacted(by: policy)
                        )
                    }))
        case .string(let text): .string(policy.redactedText(text) ?? policy.redact(url: text))
        case .null, .bool, .integer, .unsigned, .number, .decimal: self
        }
    }
}

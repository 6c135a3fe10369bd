internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// Compares two redacted requests and describes their differences.
struct ReplayComparison {
    /// The compared parts of a URL.
    private struct Address {
        var origin = ""
        var path = "/"
        var query: [String] = []

        init(_ url: String) {
            let reference = URLReference(url)
            query = (reference.query ?? "").split(separator: "&").map(String.init).sorted()
            guard let scheme = reference.scheme, let authority = reference.authority else { return }
            origin = Authority(authority).origin(scheme: scheme)
            if !reference.path.isEmpty { path = reference.path }
        }
    }

    var rules: ReplayRules

    /// Indicates whether the recorded request matches the live one.
    func matches(recorded: CapturedExchange.Request, live: CapturedExchange.Request) -> Bool {
        var head = self
        head.rules.parts.remove(.body)
        return head.differences(recorded: recorded, live: live).isEmpty
            && (!rules.parts.contains(.body) || bodyDifference(recorded, live).isEmpty)
    }

    /// The differences, for people; empty for a match.
    func differences(recorded: CapturedExchange.Request, live: CapturedExchange.Request) -> [String] {
        var found: [String] = []
        func compare(_ part: ReplayRules.Part, _ old: String, _ new: String) {
            if rules.parts.contains(part), old != new {
                found.append(Self.difference("the \(part.rawValue)", old, new))
            }
        }
        let (old, new) = (Address(recorded.url), Address(live.url))
        compare(.method, recorded.method.rawValue, live.method.rawValue)
        compare(.origin, old.origin, new.origin)
        compare(.path, old.path, new.path)
        compare(.query, old.query.joined(separator: "&"), new.query.joined(separator: "&"))
        for name in rules.headers.sorted(by: { $0.canonicalName < $1.canonicalName }) {
            let (old, new) = (recorded.comparedValue(of: name) ?? "absent", live.comparedValue(of: name) ?? "absent")
            if old != new { found.append(Self.difference("the field \(name.rawName)", old, new)) }
        }
        if rules.parts.contains(.body) { found += bodyDifference(recorded, live) }
        return found
    }

    private func bodyDifference(
        _ recorded: CapturedExchange.Request, _ live: CapturedExchange.Request
    ) -> [String] {
        let (old, new) = (recorded.body.bytes, live.body.bytes)
        if old == new || recorded.body.isCut && new.starts(with: old) { return [] }
        if let differences = recorded.multipartDifferences(live: live) { return differences }
        return Self.differences("the body", old, new)
    }

    /// The differences between two messages of a WebSocket.
    func differences(recorded: WebSocketMessage, live: WebSocketMessage) -> [String] {
        guard rules.parts.contains(.body), recorded != live else { return [] }
        switch (recorded, live) {
        case (.text(let old), .text(let new)):
            return Self.differences("the message", Bytes(old.utf8), Bytes(new.utf8))
        case (.binary(let old), .binary(let new)): return Self.differences("the message", old, new)
        case (.text, .binary): return ["the message was text, and is binary"]
        case (.binary, .text): return ["the message was binary, and is text"]
        }
    }

    /// Compares JSON by value, and anything else by its bytes.
    private static func differences(_ what: String, _ old: Bytes, _ new: Bytes) -> [String] {
        let json = JSONCoding.standard
        if let left = try? json.decode(JSONValue.self, from: old),
            let right = try? json.decode(JSONValue.self, from: new)
        {
            guard left != right else { return [] }
            return [jsonDifference(what, left, right, at: "")]
        }
        let place =
            zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
        return [
            "\(what) differs from byte \(place) on: "
                + "recorded \(excerpt(old, around: place)), sent \(excerpt(new, around: place))"
        ]
    }

    /// The first place at which two values differ.
    private static func jsonDifference(
        _ what: String, _ old: JSONValue, _ new: JSONValue, at place: String
    ) -> String {
        if let left = old.objectValue, let right = new.objectValue {
            for key in Set(left.keys).union(right.keys).sorted() where left[key] != right[key] {
                let inner = place.isEmpty ? key : "\(place).\(key)"
                guard let a = left[key] else { return "\(what) has a member \(inner) that was not recorded" }
                guard let b = right[key] else { return "\(what) has no member \(inner)" }
                return jsonDifference(what, a, b, at: inner)
            }
        }
        if let left = old.arrayValue, let right = new.arrayValue, left.count == right.count {
            for index in left.indices where left[index] != right[index] {
                return jsonDifference(what, left[index], right[index], at: "\(place)[\(index)]")
            }
        }
        return difference("\(what)\(place.isEmpty ? "" : " at \(place)")", text(old), text(new))
    }

    private static func text(_ value: JSONValue) -> String {
        (try? JSONCoding.standard.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
    }

    private static func difference(_ what: String, _ old: String, _ new: String) -> String {
        "\(what) differs: recorded \(short(old)), sent \(short(new))"
    }

    private static func excerpt(_ bytes: Bytes, around place: Int) -> String {
        let start = max(0, place - 20)
        return short(String(decoding: bytes[start..<min(bytes.count, place + 40)], as: UTF8.self))
    }

    private static func short(_ text: String) -> String {
        text.count > 120 ? "\"\(text.prefix(119))…\"" : "\"\(text)\""
    }
}

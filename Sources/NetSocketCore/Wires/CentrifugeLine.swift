/// A command or a reply of Centrifuge: one line of a message.
struct CentrifugeLine: Sendable {
    /// The kinds of lines. If a line has several, the first one counts.
    private static let kinds: Set = ["push", "connect", "subscribe", "unsubscribe", "publish", "rpc", "send", "ping"]

    /// The ID; nil for a push, for 0, and for an ID that isn't a 32-bit number.
    var id: UInt64?
    /// The kind, such as `connect`; nil for none.
    var kind: String?
    /// The object of that kind; empty for none.
    var body: CentrifugeObject
    /// The error of a reply.
    var error: CentrifugeObject?
    /// True for `{}`, a ping or the response to one.
    var isEmpty: Bool

    private init(_ slice: JSONSlice) throws(JSONSlice.Problem) {
        guard slice.isObject else { throw .malformed }
        let members = try slice.members()
        isEmpty = members.isEmpty
        body = CentrifugeObject()
        for (name, value) in members {
            switch name {
            case "id": id = value.integer.flatMap { $0 > 0 && $0 <= UInt32.max ? $0 : nil }
            case "error": error = value.isObject ? try CentrifugeObject(value) : nil
            case _ where value.isObject && (kind == nil || Self.kinds.contains(name)):
                if let kind, Self.kinds.contains(kind) { continue }
                kind = name
                body = try CentrifugeObject(value)
            default: break
            }
        }
    }

    /// Reads all lines of a message, before any of them is processed. Throws `.decoding` if a line isn't JSON.
    static func lines(of message: WebSocketMessage) throws(NetError) -> [CentrifugeLine] {
        guard let text = message.text else {
            throw SocketWire.unreadable(message, "it is binary", by: CentrifugeWire.name)
        }
        do throws(JSONSlice.Problem) {
            guard text.utf8.contains(UInt8(ascii: "\n")) else { return [try CentrifugeLine(JSONSlice(text))] }
            var lines: [CentrifugeLine] = []
            for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.contains(where: { $0 > 0x20 }) {
                lines.append(try CentrifugeLine(JSONSlice(String(Substring(line)))))
            }
            return lines
        } catch {
            throw SocketWire.unreadable(message, error.text, by: CentrifugeWire.name)
        }
    }
}

/// The members of a JSON object. If a name is repeated, the first member counts; a member with the value `null` is
/// ignored.
struct CentrifugeObject: Sendable {
    private(set) var members: [(name: String, value: JSONSlice)] = []
    /// The whole object; nil for an empty one.
    private(set) var payload: SocketPayload?

    init() {}

    /// Reads an object; a value of another kind has no members.
    init(_ slice: JSONSlice) throws(JSONSlice.Problem) {
        members = try slice.members()
        payload = members.isEmpty ? nil : slice.payload
    }

    /// Returns the members of a member that is an object; nil for another kind.
    func object(_ name: String) -> CentrifugeObject? {
        self[name].flatMap { $0.isObject ? try? CentrifugeObject($0) : nil }
    }

    subscript(name: String) -> JSONSlice? {
        members.first { $0.name == name }.flatMap { $0.value.isNull ? nil : $0.value }
    }

    /// Returns a payload of any kind.
    func payload(_ name: String) -> SocketPayload? { members.first { $0.name == name }?.value.payload }

    func text(_ name: String) -> String? { self[name]?.string }

    func bool(_ name: String) -> Bool { self[name]?.bool == true }

    /// Returns a number; some encoders of Protobuf's JSON write 64-bit numbers as strings.
    func number(_ name: String) -> UInt64? {
        self[name].flatMap { value in value.integer ?? value.string.flatMap { UInt64($0) } }
    }
}

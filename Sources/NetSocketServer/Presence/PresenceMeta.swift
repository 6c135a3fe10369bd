#if Server
internal import NetCore
internal import NetSocketCore

/// One connection in a channel's presence: an object with `phx_ref`, by which clients distinguish connections, and the
/// details.
struct PresenceMeta: Sendable, Hashable {
    let node: String
    let connection: String
    /// The identifier of this state of the connection: the same on all servers, and different if the details change.
    let reference: String
    let details: SocketPayload?
    /// The JSON object without its closing brace.
    private let text: String

    init(_ member: PresenceMember) {
        node = member.node
        connection = member.connection
        details = member.details
        reference = Self.reference(member)
        text = Self.text(member.details, reference)
    }

    /// The JSON text.
    ///
    /// - Parameter previous: The reference that this one replaces; nil for a new connection.
    func json(replacing previous: String? = nil) -> String {
        guard let previous else { return text + "}" }
        return "\(text),\"phx_ref_prev\":\"\(previous)\"}"
    }

    var size: Int { text.utf8.count }

    /// Parses the details and encodes them again: text that isn't JSON would corrupt the list of all members. Members
    /// of an object are merged into the meta; any other value becomes the member `details`. Bytes and invalid text are
    /// omitted.
    private static func text(_ details: SocketPayload?, _ reference: String) -> String {
        var members: [(String, JSONValue)] = []
        if let details, !details.isBinary, let value = try? details.decoded(as: JSONValue.self) {
            switch value {
            case .object(let object): members = object.sorted { $0.key < $1.key }
            case .null: break
            default: members = [("details", value)]
            }
        }
        var text = "{\"phx_ref\":\"\(reference)\""
        for (name, value) in members where name != "phx_ref" && name != "phx_ref_prev" {
            guard let json = (try? SocketPayload(value))?.json else { continue }
            text += ",\(PresenceState.quoted(name)):\(json)"
        }
        return text
    }

    /// A hash (64-bit FNV-1a) that hides the names of servers and connections.
    private static func reference(_ member: PresenceMember) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for part in [member.node, member.connection] {
            for byte in part.utf8 { add(byte) }
            // A byte that never occurs in UTF-8, so that different parts never form the same text.
            add(0xff)
        }
        if let details = member.details {
            for byte in details.bytes { add(byte) }
        }
        return String(hash, radix: 36)
    }
}
#endif

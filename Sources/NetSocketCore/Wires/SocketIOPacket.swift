/// A packet of Socket.IO v5, the content of an Engine.IO message: a type, the namespace, an ID and JSON.
///
/// ```text
/// 2/admin,13["rename","room",7]
/// ```
struct SocketIOPacket {
    enum Kind: UInt8 {
        case connect = 0x30
        case disconnect, event, acknowledgement, connectError, binaryEvent, binaryAcknowledgement
    }

    /// The reason a text isn't a packet.
    struct Problem: Error {
        var text: String
    }

    var kind: Kind
    /// The number of binary messages that follow.
    var attachments = 0
    /// The namespace; nil for `/`.
    var namespace: String?
    var id: UInt64?
    var data: JSONSlice?

    /// Parses the text of a packet.
    init(_ text: Substring) throws(Problem) {
        var rest = text.utf8
        guard let kind = rest.popFirst().flatMap(Kind.init) else { throw Problem(text: "it has no packet type") }
        self.kind = kind
        if kind == .binaryEvent || kind == .binaryAcknowledgement {
            guard let count = Self.digits(&rest).flatMap({ Int($0) }), rest.popFirst() == UInt8(ascii: "-") else {
                throw Problem(text: "its number of attachments is missing")
            }
            attachments = count
        }
        if rest.first == UInt8(ascii: "/") {
            // The comma may be missing if nothing follows.
            let name = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[name.endIndex...].dropFirst()
            namespace = name.count == 1 ? nil : String(Substring(name))
        }
        if let digits = Self.digits(&rest) {
            guard let id = UInt64(digits) else { throw Problem(text: "its ID is too large") }
            self.id = id
        }
        guard !rest.isEmpty else { return }
        do throws(JSONSlice.Problem) { data = try JSONSlice(String(Substring(rest))) } catch {
            throw Problem(text: error.text)
        }
    }

    private static func digits(_ rest: inout Substring.UTF8View) -> Substring? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest[digits.endIndex...]
        return digits.isEmpty ? nil : Substring(digits)
    }

    /// Returns the Engine.IO message of a packet.
    static func text(
        _ kind: Kind, attachments: Int? = nil, namespace: String?, id: UInt64? = nil, data: String = ""
    ) -> String {
        var text = "4"
        text.reserveCapacity(32 + data.utf8.count)
        text.unicodeScalars.append(Unicode.Scalar(kind.rawValue))
        if let attachments { text += "\(attachments)-" }
        if let namespace { text += namespace + "," }
        if let id { text += String(id) }
        return text + data
    }
}

/// The conversion between a payload and the arguments of an event or an acknowledgement: no argument for nil, one for
/// a JSON value, and one attachment for bytes. Several arguments are read as an array.
enum SocketIOArguments {
    /// The placeholder of the first attachment.
    static let placeholder = "{\"_placeholder\":true,\"num\":0}"

    static func payload(_ arguments: some BidirectionalCollection<JSONSlice>) -> SocketPayload? {
        guard arguments.count > 1 else { return arguments.first?.payload }
        return SocketPayload(json: "[" + arguments.compactMap(\.payload.json).joined(separator: ",") + "]")
    }

    /// Returns true if an argument is the placeholder of an attachment.
    static func isPlaceholder(_ argument: JSONSlice) -> Bool { argument["_placeholder"]?.bool == true }

    /// Returns the JSON array of a name and the arguments.
    static func text(_ event: String?, _ payload: SocketPayload?) -> String {
        var text = "["
        if let event { text.appendJSON(event) }
        if let payload {
            if event != nil { text += "," }
            text += payload.json ?? placeholder
        }
        return text + "]"
    }
}

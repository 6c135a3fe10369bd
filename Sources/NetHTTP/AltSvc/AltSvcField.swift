/// The content of an `Alt-Svc` header, its lines joined by commas (RFC 7838 section 3).
package struct AltSvcField: Sendable, Hashable {
    /// One alternative.
    package struct Member: Sendable, Hashable {
        package var protocolName: String
        /// Lower-cased; empty for the origin's own host.
        package var host: String
        package var port: Int
        /// The lifetime in seconds.
        package var maximumAge: Int64
        package var isPersistent: Bool
    }

    /// True if the origin withdraws all its alternatives (`clear`); other members are then ignored.
    package private(set) var isClear = false
    /// The alternatives, in the origin's order of preference.
    package private(set) var members: [Member] = []

    /// The maximum number of members; only the first ones count.
    package static let maximumMembers = 16
    /// The maximum size of the header in bytes; longer ones are ignored.
    package static let maximumBytes = 8 << 10
    /// The lifetime in seconds if `ma` is absent.
    package static let standardAge: Int64 = 86_400

    /// Parses the header; skips malformed members and unknown parameters.
    package init(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return }
        var reader = FieldValueReader(text)
        while !reader.isAtEnd, members.count < Self.maximumMembers {
            let start = reader
            if Self.isClear(&reader) {
                isClear = true
                members = []
                return
            }
            reader = start
            if let member = Self.member(&reader) {
                members.append(member)
            } else {
                // Restarts at the member's beginning: parsing may have stopped within quotes.
                reader = start
                reader.skipElement()
            }
            _ = reader.skip(",")
            reader.skipBlanks()
        }
    }

    private static func isClear(_ reader: inout FieldValueReader) -> Bool {
        guard reader.token() == "clear" else { return false }
        reader.skipBlanks()
        return reader.isAtElementEnd
    }

    private static func member(_ reader: inout FieldValueReader) -> Member? {
        guard let name = reader.token().flatMap(decoded), reader.skip("="), let authority = reader.quotedString(),
            let (host, port) = place(authority), let parameters = reader.parameters(), reader.isAtElementEnd
        else { return nil }
        var member = Member(
            protocolName: name, host: host, port: port, maximumAge: standardAge, isPersistent: false)
        for parameter in parameters {
            switch parameter.name {
            case "ma":
                guard !parameter.value.isEmpty, parameter.value.utf8.allSatisfy({ (48...57).contains($0) }) else {
                    return nil
                }
                member.maximumAge = Int64(parameter.value) ?? .max
            case "persist":
                member.isPersistent = parameter.value == "1"
            default:
                continue
            }
        }
        return member
    }

    /// Returns the name that a token encodes: characters that aren't allowed in a token are percent-encoded.
    private static func decoded(_ token: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(token.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70, 97...102: (byte | 0x20) - 87
        default: nil
        }
    }

    private static func place(_ authority: String) -> (host: String, port: Int)? {
        guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let host = authority[..<colon].lowercased()
        let digits = authority[colon...].dropFirst()
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let port = Int(digits), (1...65_535).contains(port),
            host.isEmpty || AlternativeService.isHost(host)
        else { return nil }
        return (host, port)
    }
}

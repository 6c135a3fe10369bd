internal import NetCore

/// One element of `Sec-WebSocket-Extensions` (RFC 6455 section 9.1): the name of an extension and its parameters.
struct ExtensionOffer: Equatable {
    var name: String
    /// The parameters in order; the value is nil for a parameter without one.
    var parameters: [(name: String, value: String?)] = []

    static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.parameters.elementsEqual(right.parameters) { $0 == $1 }
    }

    /// Parses the whole header value; nil if it is malformed. A quoted value must be a token inside its quotes.
    static func list(_ field: String?) -> [ExtensionOffer]? {
        guard let field else { return [] }
        var scanner = Scanner(rest: Array(field.utf8)[...])
        var offers: [ExtensionOffer] = []
        while true {
            // Empty elements are allowed in lists (RFC 9110 section 5.6.1.2).
            while scanner.take(UInt8(ascii: ",")) {}
            if scanner.isAtEnd { return offers }
            guard let offer = scanner.offer() else { return nil }
            offers.append(offer)
            guard scanner.isAtEnd || scanner.take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        var isAtEnd: Bool {
            mutating get {
                skipSpaces()
                return rest.isEmpty
            }
        }

        mutating func offer() -> ExtensionOffer? {
            guard let name = token() else { return nil }
            var offer = ExtensionOffer(name: name.lowercased())
            while take(UInt8(ascii: ";")) {
                guard let parameter = token() else { return nil }
                guard take(UInt8(ascii: "=")) else {
                    offer.parameters.append((parameter.lowercased(), nil))
                    continue
                }
                guard let value = take(UInt8(ascii: "\"")) ? quoted() : token() else { return nil }
                offer.parameters.append((parameter.lowercased(), value))
            }
            return offer
        }

        mutating func take(_ byte: UInt8) -> Bool {
            skipSpaces()
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func token() -> String? {
            skipSpaces()
            let bytes = rest.prefix(while: Self.isTokenByte)
            rest = rest.dropFirst(bytes.count)
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }

        private mutating func quoted() -> String? {
            var bytes: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let next = rest.popFirst(), Self.isTokenByte(next) else { return nil }
                    bytes.append(next)
                default:
                    guard Self.isTokenByte(byte) else { return nil }
                    bytes.append(byte)
                }
            }
            return nil
        }

        private mutating func skipSpaces() {
            rest = rest.drop { $0 == 32 || $0 == 9 }
        }

        private static func isTokenByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }
}

import NetSocketCore

/// A frame as a test specifies it, valid or not; the bytes are built in the slow and obvious way.
struct WireFrame {
    /// The encoding of the length.
    enum LengthForm { case shortest, sixteenBits, sixtyFourBits }

    var opcode: UInt8
    var payload: [UInt8] = []
    var isFinal = true
    var reserved: UInt8 = 0
    var key: [UInt8]?
    var form = LengthForm.shortest

    static func text(_ text: String, isFinal: Bool = true) -> WireFrame {
        WireFrame(opcode: 1, payload: Array(text.utf8), isFinal: isFinal)
    }

    static func binary(_ payload: [UInt8], isFinal: Bool = true) -> WireFrame {
        WireFrame(opcode: 2, payload: payload, isFinal: isFinal)
    }

    static func continuation(_ payload: [UInt8], isFinal: Bool = true) -> WireFrame {
        WireFrame(opcode: 0, payload: payload, isFinal: isFinal)
    }

    static func close(_ code: UInt16, _ reason: [UInt8] = []) -> WireFrame {
        WireFrame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 255)] + reason)
    }

    static func ping(_ text: String) -> WireFrame { WireFrame(opcode: 9, payload: Array(text.utf8)) }
    static func pong(_ text: String) -> WireFrame { WireFrame(opcode: 10, payload: Array(text.utf8)) }

    var bytes: [UInt8] {
        let count = payload.count
        let masked: UInt8 = key == nil ? 0 : 0x80
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        switch form {
        case .shortest where count < 126: bytes.append(masked | UInt8(count))
        case .shortest where count < 65_536, .sixteenBits:
            bytes += [masked | 126, UInt8(count >> 8 & 255), UInt8(count & 255)]
        default:
            bytes.append(masked | 127)
            bytes += (0..<8).map { UInt8(UInt64(count) >> (56 - 8 * UInt64($0)) & 255) }
        }
        guard let key else { return bytes + payload }
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    /// Returns the frame as the other side would send it: a client masks.
    func masked(_ key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]) -> WireFrame {
        var frame = self
        frame.key = key
        return frame
    }
}

extension [WireFrame] {
    var bytes: [UInt8] { flatMap(\.bytes) }

    /// Returns the frames for a decoder with this role.
    func sent(to role: WebSocketRole) -> [WireFrame] { role == .server ? map { $0.masked() } : self }
}

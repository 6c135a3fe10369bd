@testable import NetClient

/// Kernel messages, assembled byte by byte.
enum NetlinkSamples {
    static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    /// A 32-bit number, like most attributes.
    static func long(_ value: UInt32) -> [UInt8] { bytes(value) }

    /// A header and its payload, padded to a multiple of four.
    static func message(_ type: UInt16, flags: UInt16 = 0, sequence: UInt32 = 7, _ payload: [UInt8]) -> [UInt8] {
        padded(bytes(UInt32(payload.count + 16)) + bytes(type) + bytes(flags) + bytes(sequence) + long(0) + payload)
    }

    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        padded(bytes(UInt16(value.count + 4)) + bytes(type) + value)
    }

    static func attributes(_ list: [(UInt16, [UInt8])]) -> [UInt8] { list.flatMap { attribute($0.0, $0.1) } }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    static func link(
        _ index: Int32, _ name: String, flags: UInt32 = 0x41, hardware: UInt16 = 1, kind: String? = nil
    ) -> [UInt8] {
        let fixed = [0, 0] + bytes(hardware) + bytes(index) + bytes(flags) + long(0)
        let info = kind.map { [(UInt16(18), attribute(1, Array($0.utf8) + [0]))] } ?? []
        return message(16, fixed + attributes([(3, Array(name.utf8) + [0])] + info))
    }

    static func address(
        _ link: Int32, _ bytes: [UInt8], family: UInt8 = 2, scope: UInt8 = 0, flags: UInt8 = 0,
        more: [(UInt16, [UInt8])] = []
    ) -> [UInt8] {
        message(20, [family, 24, flags, scope] + self.bytes(link) + attributes([(1, bytes)] + more))
    }

    /// A route; its table is in the fixed part, unless `more` contains another.
    static func route(
        _ destination: [UInt8] = [], length: UInt8 = 0, family: UInt8 = 2, table: UInt8 = 254, type: UInt8 = 1,
        flags: UInt32 = 0, link: Int32? = nil, gateway: [UInt8]? = nil, metric: UInt32? = nil,
        more: [(UInt16, [UInt8])] = []
    ) -> [UInt8] {
        var list = more
        if !destination.isEmpty { list.append((1, destination)) }
        if let link { list.append((4, bytes(link))) }
        if let gateway { list.append((5, gateway)) }
        if let metric { list.append((6, long(metric))) }
        return message(24, [family, length, 0, 0, table, 3, 0, type] + long(flags) + attributes(list))
    }

    static func rule(
        priority: UInt32? = nil, table: UInt8 = 0, action: UInt8 = 1, family: UInt8 = 2, destination: UInt8 = 0,
        source: UInt8 = 0, flags: UInt32 = 0, more: [(UInt16, [UInt8])] = []
    ) -> [UInt8] {
        let own: [(UInt16, [UInt8])] = priority.map { [(UInt16(6), long($0))] } ?? []
        return message(
            32, [family, destination, source, 0, table, 0, 0, action] + long(flags) + attributes(own + more))
    }

    static func table(_ messages: [UInt8]...) -> NetworkTable {
        var table = NetworkTable()
        for message in NetlinkMessage.read(Array(messages.joined())) { table.add(message) }
        return table
    }
}

/// A message of the kernel's routing socket (rtnetlink(7)): a header with the type, a fixed part, and attributes.
///
/// The contents are trusted, but lengths are not: parsing stops at the first one that doesn't fit.
struct NetlinkMessage: Equatable {
    let type: UInt16
    let flags: UInt16
    let sequence: UInt32
    /// The bytes after the header.
    let payload: ArraySlice<UInt8>

    /// The types of the messages that are read.
    enum Kind {
        static let error: UInt16 = 2
        static let done: UInt16 = 3
        static let link: UInt16 = 16
        static let address: UInt16 = 20
        static let route: UInt16 = 24
        static let rule: UInt16 = 32
    }

    /// True if a change interrupted the dump, which may therefore be inconsistent.
    var isInterrupted: Bool { flags & 0x10 != 0 }

    /// Reads the messages of one datagram, up to the first whose length doesn't fit.
    static func read(_ bytes: [UInt8]) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var rest = bytes[...]
        while rest.count >= 16, let length = rest.integer(at: 0, as: UInt32.self), length >= 16, length <= rest.count {
            guard let type = rest.integer(at: 4, as: UInt16.self), let flags = rest.integer(at: 6, as: UInt16.self),
                let sequence = rest.integer(at: 8, as: UInt32.self)
            else { break }
            let end = rest.startIndex + Int(length)
            messages.append(
                NetlinkMessage(
                    type: type, flags: flags, sequence: sequence, payload: rest[(rest.startIndex + 16)..<end]))
            rest = rest[min(rest.startIndex + aligned(Int(length)), rest.endIndex)...]
        }
        return messages
    }

    /// Returns the attributes that follow a fixed part of the given length. If one occurs twice, the last one counts.
    func attributes(after length: Int) -> [UInt16: ArraySlice<UInt8>] {
        payload.count >= length ? Self.attributes(in: payload.dropFirst(length)) : [:]
    }

    /// Reads attributes, each of which consists of length, type and bytes and begins at a multiple of four.
    static func attributes(in bytes: ArraySlice<UInt8>) -> [UInt16: ArraySlice<UInt8>] {
        var attributes: [UInt16: ArraySlice<UInt8>] = [:]
        var rest = bytes
        while let length = rest.integer(at: 0, as: UInt16.self), let type = rest.integer(at: 2, as: UInt16.self),
            length >= 4, length <= rest.count
        {
            // The two highest bits are flags for the encoding of the bytes.
            attributes[type & 0x3fff] = rest[(rest.startIndex + 4)..<(rest.startIndex + Int(length))]
            rest = rest[min(rest.startIndex + aligned(Int(length)), rest.endIndex)...]
        }
        return attributes
    }

    static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}

extension ArraySlice<UInt8> {
    /// Reads an integer in the machine's byte order; nil if there are too few bytes.
    func integer<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type = Value.self) -> Value? {
        guard offset + MemoryLayout<Value>.size <= count else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
    }

    /// The text up to the first zero byte, or to the end.
    var text: String { String(decoding: prefix { $0 != 0 }, as: UTF8.self) }
}

#if Redis
internal import NetCore
internal import NetSocketCore

/// The binary format of messages and members on the broker: a version, flags, and length-prefixed parts.
///
/// The data may have been written by other servers, or by anyone with access to the broker, so decoding validates
/// everything.
enum RedisEnvelope {
    static let version: UInt8 = 1
    /// The maximum size of the name of a server, connection, event or key.
    static let maximumNameBytes = 64 << 10

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let except = Flags(rawValue: 1)
        static let payload = Flags(rawValue: 2)
        static let binary = Flags(rawValue: 4)
        static let all: Flags = [.except, .payload, .binary]

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ payload: SocketPayload?) {
            switch payload?.isBinary {
            case nil: self = []
            case true?: self = [.payload, .binary]
            case false?: self = .payload
            }
        }
    }

    // MARK: Writing

    /// Encodes a message without its topic and offset, which are in its key and its entry.
    static func encode(_ message: FanOutMessage) -> Bytes {
        var flags = Flags(message.push.payload)
        if message.except != nil { flags.insert(.except) }
        var writer = Writer(flags.rawValue)
        writer.add(message.id)
        writer.add(message.node)
        if let except = message.except { writer.add(except) }
        writer.add(message.push.event)
        if let payload = message.push.payload { writer.add(payload) }
        return Bytes(writer.bytes)
    }

    static func encode(_ member: PresenceMember) -> Bytes {
        var writer = Writer(Flags(member.details).rawValue)
        writer.add(member.node)
        writer.add(member.connection)
        writer.add(member.key)
        if let details = member.details { writer.add(details) }
        return Bytes(writer.bytes)
    }

    private struct Writer {
        var bytes: [UInt8]

        init(_ flags: UInt8) { bytes = [RedisEnvelope.version, flags] }

        mutating func add(_ text: String) {
            count(text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        }

        mutating func add(_ payload: SocketPayload) {
            let content = payload.bytes
            count(content.count)
            content.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }

        /// Appends a number, seven bits per byte, the lowest first; the highest bit indicates that more bytes follow.
        private mutating func count(_ number: Int) {
            var rest = number
            while rest > 0x7f {
                bytes.append(UInt8(rest & 0x7f) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
    }

    // MARK: Reading

    /// Decodes a message; nil if the bytes are malformed.
    static func message(_ bytes: Bytes, in topic: String, offset: UInt64?) -> FanOutMessage? {
        var reader = Reader(bytes)
        guard let flags = reader.flags(), let id = reader.name(), let node = reader.name() else { return nil }
        var except: String?
        if flags.contains(.except) {
            guard let name = reader.name() else { return nil }
            except = name
        }
        guard let event = reader.name(), let payload = reader.payload(flags), reader.isAtEnd else { return nil }
        let push = WirePush(event: event, payload: payload.value, topic: topic, offset: offset)
        return FanOutMessage(id: id, node: node, topic: topic, except: except, push: push)
    }

    static func member(_ bytes: Bytes) -> PresenceMember? {
        var reader = Reader(bytes)
        guard let flags = reader.flags(), !flags.contains(.except), let node = reader.name(),
            let connection = reader.name(), let key = reader.name(), let details = reader.payload(flags),
            reader.isAtEnd
        else { return nil }
        return PresenceMember(key: key, connection: connection, node: node, details: details.value)
    }

    private struct Reader {
        private let bytes: Bytes
        private var position = 0

        init(_ bytes: Bytes) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }

        mutating func flags() -> Flags? {
            guard bytes.count >= 2, bytes[0] == RedisEnvelope.version else { return nil }
            let flags = Flags(rawValue: bytes[1])
            guard flags.isSubset(of: .all), !flags.contains(.binary) || flags.contains(.payload) else { return nil }
            position = 2
            return flags
        }

        private mutating func count() -> Int? {
            var (value, shift) = (0, 0)
            while position < bytes.count, shift <= 28 {
                let byte = bytes[position]
                position += 1
                value |= Int(byte & 0x7f) << shift
                guard byte & 0x80 != 0 else { return value }
                shift += 7
            }
            return nil
        }

        private mutating func part(atMost maximum: Int = .max) -> Bytes? {
            guard let count = count(), count <= maximum, count <= bytes.count - position else { return nil }
            defer { position += count }
            return bytes[position..<position + count]
        }

        mutating func name() -> String? {
            guard let part = part(atMost: RedisEnvelope.maximumNameBytes) else { return nil }
            return part.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        }

        /// Returns nil if the bytes are malformed, and a nil value for no payload.
        mutating func payload(_ flags: Flags) -> (value: SocketPayload?, Void)? {
            guard flags.contains(.payload) else { return (nil, ()) }
            guard let part = part() else { return nil }
            if flags.contains(.binary) { return (SocketPayload(bytes: part), ()) }
            guard let text = part.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) else { return nil }
            return (SocketPayload(json: text), ())
        }
    }
}
#endif

#if Redis
internal import NetCore
internal import NetSocketCore

/// Parses the replies of the scripts. Each function returns nil for a reply that its script never returns.
enum RedisReply {
    /// `{epoch, offset}`
    static func position(_ value: RedisValue) -> ChannelPosition? {
        guard let parts = value.array, parts.count >= 2, let epoch = parts[0].text, let offset = parts[1].integer,
            offset >= 0
        else { return nil }
        return ChannelPosition(epoch: epoch, offset: UInt64(offset))
    }

    /// `{epoch, offset, version, {member, …}}`
    static func snapshot(_ value: RedisValue) -> RedisTopic.Snapshot? {
        guard let position = position(value), let parts = value.array, parts.count == 4,
            let version = parts[2].integer, version >= 0, let members = parts[3].array
        else { return nil }
        return RedisTopic.Snapshot(position: position, version: UInt64(version), members: Self.members(members))
    }

    /// Returns members in the order in which they entered. Each value is that order, a space, and the encoded member;
    /// malformed values are skipped.
    static func members(_ values: [RedisValue]) -> [PresenceMember] {
        var members: [(order: UInt64, member: PresenceMember)] = []
        for value in values {
            guard let bytes = value.bytes, let space = bytes.prefix(24).firstIndex(of: UInt8(ascii: " ")),
                let order = UInt64(String(decoding: bytes[0..<space], as: UTF8.self)),
                let member = RedisEnvelope.member(bytes[space + 1..<bytes.count])
            else { continue }
            members.append((order, member))
        }
        return members.sorted { $0.order < $1.order }.map(\.member)
    }

    /// `{epoch, offset, {{"offset-0", {"m", message, …}}, …}}`
    static func history(_ value: RedisValue, of topic: String) -> RedisTopic.History? {
        guard let position = position(value), let parts = value.array, parts.count == 3, let entries = parts[2].array
        else { return nil }
        return RedisTopic.History(
            position: position, messages: entries.compactMap { message($0, in: topic) })
    }

    /// Returns nil for an entry that can't be decoded, which leaves a gap.
    private static func message(_ entry: RedisValue, in topic: String) -> FanOutMessage? {
        guard let parts = entry.array, parts.count == 2, let id = parts[0].text,
            let offset = id.split(separator: "-").first.flatMap({ UInt64($0) }), offset > 0, offset <= Int64.max,
            let fields = parts[1].array, fields.count >= 2, let bytes = fields[1].bytes
        else { return nil }
        return RedisEnvelope.message(bytes, in: topic, offset: offset)
    }
}
#endif

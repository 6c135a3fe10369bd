#if Redis
/// The Lua scripts that run in the broker. Each is atomic, and all servers see their effects in the same order.
///
/// A topic's state is a hash: `e` is the epoch, `o` the last offset, `r` the run ID of the broker that last wrote it,
/// and `v` the version of the members. `k`, `x` and `t` are the retention: the number of pushes, their bytes, and the
/// time in milliseconds. `c` is the total size of all pushes ever kept, and `f` the total size of those before the
/// oldest push when it was last determined. The entry of a push has the offset in its ID, and the total size of all
/// earlier pushes in `c`.
enum RedisScript: String, CaseIterable, Sendable {
    case publish, attach, history, enter, leave, lease, bury

    /// Loads or creates the state of a topic. If the broker has restarted and may have lost writes, the topic gets a
    /// new epoch: an offset of the old one may belong to a different message now.
    ///
    /// Reads ARGV 1 to 4: a name for an epoch, the run ID of the broker, 1 if that broker loses nothing, and the time
    /// in milliseconds for which the state is kept.
    private static let begin = """
        local state = redis.call('HMGET', KEYS[1], 'e', 'o', 'r')
        local epoch, offset = state[1], tonumber(state[2] or '0')
        if not epoch then
            epoch, offset = ARGV[1], 0
            redis.call('DEL', KEYS[2])
            redis.call('HSET', KEYS[1], 'e', epoch, 'o', '0', 'r', ARGV[2])
        elseif state[3] ~= ARGV[2] then
            if ARGV[3] ~= '1' then epoch = ARGV[1] end
            redis.call('HSET', KEYS[1], 'e', epoch, 'r', ARGV[2])
        end

        """

    /// Extends the expiry of the state. A broker whose memory is full refuses a script's first write if that write may
    /// take memory, but not the writes after it: with this command as the first write, only ``publish`` is refused.
    private static let touch = "redis.call('PEXPIRE', KEYS[1], ARGV[4])\n"

    /// Stores the retention, ARGV 5 to 7, unless ARGV 5 is empty.
    private static let keep = """
        if ARGV[5] ~= '' then redis.call('HSET', KEYS[1], 'k', ARGV[5], 'x', ARGV[6], 't', ARGV[7]) end

        """

    /// The Lua source.
    ///
    /// KEYS 1 is the state, KEYS 2 the history.
    var source: String {
        switch self {
        case .publish: Self.begin + Self.publishing
        case .attach:
            Self.touch + Self.begin + Self.touch + Self.keep
                + "return {epoch, offset, redis.call('HGET', KEYS[1], 'v') or '0', "
                + "redis.call('HVALS', KEYS[3])}"
        case .history: Self.touch + Self.begin + Self.touch + Self.reading
        case .enter: Self.touch + Self.begin + Self.touch + Self.entering
        case .leave: Self.touch + Self.begin + Self.touch + Self.leaving
        case .lease: Self.leasing
        case .bury: Self.burying
        }
    }

    /// KEYS 3 is the IDs. ARGV 5 to 7 is the retention, 8 the ID, 9 the number of IDs to remember, 10 `m` or `u`, 11
    /// the size, 12 the channel, 13 the message.
    private static let publishing = """
        local id, kind, remembered = ARGV[8], ARGV[10], 300000
        if id ~= '' then
            local known = redis.call('ZSCORE', KEYS[3], id)
            if known then return {epoch, kind == 'm' and tonumber(known) or offset} end
        end
        if kind == 'm' then
            local kept = redis.call('HMGET', KEYS[1], 'k', 'x', 't', 'c', 'f')
            if ARGV[5] ~= '' and (kept[1] ~= ARGV[5] or kept[2] ~= ARGV[6] or kept[3] ~= ARGV[7]) then
                redis.call('HSET', KEYS[1], 'k', ARGV[5], 'x', ARGV[6], 't', ARGV[7])
                kept[1], kept[2], kept[3] = ARGV[5], ARGV[6], ARGV[7]
            end
            local count, bytes, time = tonumber(kept[1] or '0'), tonumber(kept[2] or '0'), tonumber(kept[3] or '0')
            offset = redis.call('HINCRBY', KEYS[1], 'o', 1)
            if count > 0 and time > 0 then
                local before = tonumber(kept[4] or '0')
                redis.call('XADD', KEYS[2], 'MAXLEN', count, string.format('%.0f-0', offset), 'm', ARGV[13], 'c', before)
                local total = redis.call('HINCRBY', KEYS[1], 'c', ARGV[11])
                if total - tonumber(kept[5] or '0') > bytes then
                    local length, oldest = redis.call('XLEN', KEYS[2]), before
                    while length > 0 do
                        oldest = tonumber(redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1][2][4])
                        if total - oldest <= bytes then break end
                        length = length - 1
                        redis.call('XTRIM', KEYS[2], 'MAXLEN', length)
                    end
                    redis.call('HSET', KEYS[1], 'f', oldest)
                end
                redis.call('PEXPIRE', KEYS[2], time)
            else
                redis.call('DEL', KEYS[2])
            end
            remembered = math.max(time, 60000)
        end
        if id ~= '' then
            local score = offset
            if kind ~= 'm' then score = redis.call('HINCRBY', KEYS[1], 'n', 1) end
            redis.call('ZADD', KEYS[3], score, id)
            redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -1 - tonumber(ARGV[9]))
            redis.call('PEXPIRE', KEYS[3], remembered)
        end
        redis.call('PEXPIRE', KEYS[1], math.max(remembered, ARGV[4]))
        local head = kind .. ' ' .. (kind == 'm' and string.format('%.0f', offset) or '0') .. ' ' .. epoch .. '\\n'
        redis.call('PUBLISH', ARGV[12], head .. ARGV[13])
        return {epoch, offset}
        """

    /// ARGV 5 is the epoch and 6 the offset after which to read; both are empty to get only the topic's position.
    private static let reading = """
        if ARGV[5] == '' then return {epoch, offset, {}} end
        local first = '-'
        if ARGV[5] == epoch and tonumber(ARGV[6]) <= offset then first = '(' .. ARGV[6] .. '-0' end
        return {epoch, offset, redis.call('XRANGE', KEYS[2], first, '+')}
        """

    /// KEYS 3 is the members, 4 the topics of the server. ARGV 5 is the field, 6 the member, 7 the topic, 8 the
    /// channel.
    private static let entering = """
        local version = redis.call('HINCRBY', KEYS[1], 'v', 1)
        local known = redis.call('HGET', KEYS[3], ARGV[5])
        local order = known and string.match(known, '^%d+') or version
        redis.call('HSET', KEYS[3], ARGV[5], order .. ' ' .. ARGV[6])
        redis.call('SADD', KEYS[4], ARGV[7])
        redis.call('PUBLISH', ARGV[8], 'e ' .. version .. ' ' .. epoch .. '\\n' .. ARGV[6])
        return version
        """

    /// KEYS as for ``entering``. ARGV 5 is the field, 6 is 1 if the server has no other member there, 7 the topic, 8
    /// the channel.
    private static let leaving = """
        if ARGV[6] == '1' then redis.call('SREM', KEYS[4], ARGV[7]) end
        local known = redis.call('HGET', KEYS[3], ARGV[5])
        if not known then return 0 end
        redis.call('HDEL', KEYS[3], ARGV[5])
        local version = redis.call('HINCRBY', KEYS[1], 'v', 1)
        local member = string.gsub(known, '^%d+ ', '')
        redis.call('PUBLISH', ARGV[8], 'l ' .. version .. ' ' .. epoch .. '\\n' .. member)
        return version
        """

    /// Renews the lease of a server, even if the broker's memory is full (``touch``). KEYS 1 is the servers, 2 their
    /// owners. ARGV 1 is the name, 2 the owner, 3 the time in milliseconds.
    /// Returns 0 if another server has the name. Otherwise returns 1, a flag that is set if the lease had ended, and
    /// the servers whose leases have ended.
    private static let leasing = """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local owner, ends = redis.call('HGET', KEYS[2], ARGV[1]), redis.call('ZSCORE', KEYS[1], ARGV[1])
        redis.call('PERSIST', KEYS[1])
        local isOver = not ends or tonumber(ends) <= now
        if owner and owner ~= ARGV[2] and not isOver then return {0} end
        redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
        redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
        local dead = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, 10)
        return {1, (isOver or owner ~= ARGV[2]) and 1 or 0, dead}
        """

    /// Removes the members of a server from its channels, a hundred channels per call: of a server whose lease has
    /// ended, or of the caller. KEYS as for ``leasing``, and 3 is the topics of the server. ARGV 1 is the name, 2 the
    /// owner or empty, 3 the prefix of keys. Returns 1 if channels remain. The script computes the keys of the topics,
    /// which a cluster doesn't allow.
    private static let burying = """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local ends = redis.call('ZSCORE', KEYS[1], ARGV[1])
        if ARGV[2] == '' then
            if not ends or tonumber(ends) > now then return 0 end
        elseif redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then
            return 0
        end
        local begin = #ARGV[1] .. ':' .. ARGV[1] .. ':'
        for _, topic in ipairs(redis.call('SRANDMEMBER', KEYS[3], 100)) do
            local base = ARGV[3] .. topic
            local members = redis.call('HGETALL', base .. ':p')
            for index = 1, #members, 2 do
                if string.sub(members[index], 1, #begin) == begin then
                    redis.call('HDEL', base .. ':p', members[index])
                    local version = redis.call('HINCRBY', base .. ':m', 'v', 1)
                    local epoch = redis.call('HGET', base .. ':m', 'e') or '-'
                    local member = string.gsub(members[index + 1], '^%d+ ', '')
                    redis.call('PUBLISH', base .. ':c', 'l ' .. version .. ' ' .. epoch .. '\\n' .. member)
                end
            end
            redis.call('SREM', KEYS[3], topic)
        end
        if redis.call('SCARD', KEYS[3]) > 0 then return 1 end
        redis.call('ZREM', KEYS[1], ARGV[1])
        redis.call('HDEL', KEYS[2], ARGV[1])
        return 0
        """
}
#endif

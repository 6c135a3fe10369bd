#if Redis
internal import CHiredis
internal import NetCore

/// Parses the replies of a broker from its bytes, with the reader of hiredis.
///
/// The memory for one reply is bounded, whatever size the broker announces. After the first error, nothing more is
/// read. Feed large input in pieces and take the replies in between: hiredis moves the remaining bytes for each
/// kilobyte of replies.
final class RedisReader {
    /// The reason the bytes can't be parsed.
    struct Failure: Error, Sendable, Hashable {
        /// `.protocolViolation`, `.bodyTooLarge`, or `.unknown` if no memory is available.
        var code: NetError.Code
        /// The second part of a sentence that starts with the broker.
        var reason: String
    }

    /// The recommended size of the pieces to feed.
    static let piece = 16 << 10

    private let maximumReplyBytes: Int
    private let reader: UnsafeMutablePointer<redisReader>?
    private(set) var failure: Failure?

    /// - Parameter maximumReplyBytes: The maximum size of a reply in bytes, on the wire and in memory.
    init(maximumReplyBytes: Int = 64 << 20) {
        self.maximumReplyBytes = max(0, maximumReplyBytes)
        reader = net_redis_reader_create(numericCast(self.maximumReplyBytes))
        if reader == nil { failure = Self.noMemory }
    }

    deinit {
        if let reader { net_redis_reader_free(reader) }
    }

    /// Adds bytes that have arrived. Ignores them after an error.
    func feed(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil, let reader, let start = bytes.baseAddress, !bytes.isEmpty else { return }
        let status = redisReaderFeed(reader, start.assumingMemoryBound(to: CChar.self), numericCast(bytes.count))
        if status != REDIS_OK { failure = Self.noMemory }
    }

    /// Returns the next reply; nil if more bytes are needed. After an error, throws that error every time.
    func next() throws(Failure) -> RedisValue? {
        if let failure { throw failure }
        guard let reader else { return nil }
        var reply: UnsafeMutablePointer<redisReply>?
        guard net_redis_reader_next(reader, &reply) == REDIS_OK else { throw fail(mistake(of: reader)) }
        guard let reply else {
            if net_redis_reader_line_is_endless(reader) != 0 {
                throw fail(Failure(code: .protocolViolation, reason: "sent a line that doesn't end"))
            }
            if net_redis_reader_waiting(reader) > maximumReplyBytes { throw fail(tooLarge) }
            return nil
        }
        defer { freeReplyObject(reply) }
        guard let value = RedisValue(reply) else {
            throw fail(notRESP2)
        }
        return value
    }

    private func fail(_ failure: Failure) -> Failure {
        self.failure = failure
        return failure
    }

    private func mistake(of reader: UnsafeMutablePointer<redisReader>) -> Failure {
        switch Int(net_redis_reader_refusal(reader)) {
        case net_redis_too_large: return tooLarge
        case net_redis_too_deep: return Failure(code: .protocolViolation, reason: "nested its reply too deeply")
        case net_redis_not_resp2: return notRESP2
        default: break
        }
        guard reader.pointee.err == REDIS_ERR_PROTOCOL, let text = net_redis_reader_mistake(reader) else {
            return Self.noMemory
        }
        return Failure(
            code: .protocolViolation, reason: "sent bytes that aren't a reply (\(String(cString: text)))")
    }

    private var notRESP2: Failure {
        Failure(code: .protocolViolation, reason: "sent a reply of a type that RESP2 doesn't have")
    }

    private var tooLarge: Failure {
        Failure(code: .bodyTooLarge, reason: "sent a reply of more than \(maximumReplyBytes) bytes")
    }

    private static let noMemory = Failure(code: .unknown, reason: "sent a reply that doesn't fit in memory")
}
#endif

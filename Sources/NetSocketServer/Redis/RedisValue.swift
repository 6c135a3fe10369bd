#if Redis
internal import CHiredis
internal import NetCore

/// A reply of a broker, or a part of one (RESP2).
enum RedisValue: Sendable, Hashable {
    case null
    case integer(Int64)
    /// A simple string, such as `OK`.
    case status(String)
    /// A bulk string.
    case bytes(Bytes)
    case error(RedisError)
    case array([RedisValue])

    /// The text of a simple or bulk string, with invalid UTF-8 replaced; nil for other values.
    var text: String? {
        switch self {
        case .status(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null, .integer, .error, .array: nil
        }
    }

    /// The bytes of a simple or bulk string; nil for other values.
    var bytes: Bytes? {
        switch self {
        case .status(let text): Bytes(text.utf8)
        case .bytes(let bytes): bytes
        case .null, .integer, .error, .array: nil
        }
    }

    /// The value of an integer, or of a string that is a decimal number; nil for other values.
    var integer: Int64? {
        switch self {
        case .integer(let number): number
        case .status, .bytes: text.flatMap { Int64($0) }
        case .null, .error, .array: nil
        }
    }

    /// The elements; nil for other values.
    var array: [RedisValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The error of an error reply; nil for other values.
    var error: RedisError? {
        if case .error(let error) = self { error } else { nil }
    }
}

extension RedisValue {
    /// Copies a reply of hiredis; nil for a type that doesn't exist in RESP2.
    init?(_ reply: UnsafePointer<redisReply>) {
        let value = reply.pointee
        switch value.type {
        case REDIS_REPLY_STRING: self = .bytes(Bytes(copying: value.characters))
        case REDIS_REPLY_STATUS: self = .status(String(decoding: value.characters, as: UTF8.self))
        case REDIS_REPLY_ERROR: self = .error(RedisError(String(decoding: value.characters, as: UTF8.self)))
        case REDIS_REPLY_INTEGER: self = .integer(value.integer)
        case REDIS_REPLY_NIL: self = .null
        case REDIS_REPLY_ARRAY:
            var elements: [RedisValue] = []
            elements.reserveCapacity(Int(value.elements))
            for index in 0..<Int(value.elements) {
                guard let element = net_redis_element(reply, numericCast(index)), let element = RedisValue(element)
                else { return nil }
                elements.append(element)
            }
            self = .array(elements)
        default: return nil
        }
    }
}

extension redisReply {
    /// The characters of a string, valid as long as the reply.
    fileprivate var characters: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: str, count: str == nil ? 0 : Int(len))
    }
}
#endif

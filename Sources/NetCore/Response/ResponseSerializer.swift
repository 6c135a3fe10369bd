#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the conversion of a response may use.
public struct SerializationContext: Sendable {
    /// The client's JSON coders.
    public var coding: JSONCoding

    /// Takes the coders.
    public init(coding: JSONCoding = .standard) {
        self.coding = coding
    }
}

/// Turns a response into a value, and says what it accepts and how it wants the body delivered.
///
///     let serializer = ResponseSerializer<[String: Int]>.json
public struct ResponseSerializer<Value: Sendable>: Sendable {
    package enum Conversion: Sendable {
        case collected(@Sendable (ResponseHead, Bytes, SerializationContext) throws -> Value)
        case streamed(@Sendable (ResponseHead, ResponseBody, SerializationContext) throws -> Value)
        case discarded(@Sendable (ResponseHead, SerializationContext) throws -> Value)
    }

    /// Sent as `Accept` when the request has no such field; nil sends none.
    public let accept: String?
    package let conversion: Conversion

    /// Converts the complete body. An error it throws becomes `.decoding`, unless it is a ``NetError``.
    public init(
        accept: String? = nil,
        _ convert: @escaping @Sendable (ResponseHead, Bytes, SerializationContext) throws -> Value
    ) {
        self.accept = accept
        conversion = .collected(convert)
    }

    private init(accept: String?, conversion: Conversion) {
        self.accept = accept
        self.conversion = conversion
    }

    /// Converts a body that is still arriving: the value reads it. The call ends when the body does.
    public static func streamed(
        accept: String? = nil,
        _ convert: @escaping @Sendable (ResponseHead, ResponseBody, SerializationContext) throws -> Value
    ) -> ResponseSerializer {
        ResponseSerializer(accept: accept, conversion: .streamed(convert))
    }

    /// The same, with the value changed.
    public func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) throws -> Other)
        -> ResponseSerializer<Other>
    {
        switch conversion {
        case .collected(let convert):
            ResponseSerializer<Other>(accept: accept) { try transform(convert($0, $1, $2)) }
        case .streamed(let convert):
            ResponseSerializer<Other>.streamed(accept: accept) { try transform(convert($0, $1, $2)) }
        case .discarded(let make):
            ResponseSerializer<Other>(accept: accept, conversion: .discarded { try transform(make($0, $1)) })
        }
    }

    /// Chooses by status code; throws ``UndeclaredResponse`` where `choose` returns nil.
    public static func byStatus(
        accept: String? = nil, _ choose: @escaping @Sendable (Int) -> ResponseSerializer?
    ) -> ResponseSerializer {
        ResponseSerializer(accept: accept) { head, bytes, context in
            guard let chosen = choose(head.status.code) else { throw UndeclaredResponse(status: head.status.code) }
            return try chosen.convert(head, bytes, context)
        }
    }

    /// The same, for responses of those status codes alone; any other throws ``UndeclaredResponse``.
    ///
    ///     let serializer = ResponseSerializer<String>.string.on(404, 410)
    public func on(_ statuses: Int...) -> ResponseSerializer { on { statuses.contains($0) } }

    /// The same, for responses whose status code passes; any other throws ``UndeclaredResponse``.
    public func on(_ isDeclared: @escaping @Sendable (Int) -> Bool) -> ResponseSerializer {
        .byStatus(accept: accept) { isDeclared($0) ? self : nil }
    }

    /// Applies the conversion to a complete body.
    package func convert(_ head: ResponseHead, _ bytes: Bytes, _ context: SerializationContext) throws -> Value {
        switch conversion {
        case .collected(let convert): try convert(head, bytes, context)
        case .streamed(let convert): try convert(head, ResponseBody(bytes), context)
        case .discarded(let make): try make(head, context)
        }
    }
}

/// The status of a response that the request does not declare.
public struct UndeclaredResponse: Error, Sendable, CustomStringConvertible {
    /// The status code.
    public let status: Int

    /// Names the status.
    public init(status: Int) {
        self.status = status
    }

    public var description: String { "the request declares no response for status \(status)" }
}

extension ResponseSerializer where Value: Decodable {
    /// JSON with the client's coders. An empty body is nil where the type is an optional one, else an error.
    public static var json: ResponseSerializer { json() }

    /// What a request without a serializer has: JSON, but text, data and ``Empty`` as what they are, and nil for an empty body
    /// where the type is an optional one.
    ///
    /// Decided by the type at run time: overloads are not seen where the type is a parameter of generic code.
    static var byType: ResponseSerializer {
        if Value.self == String.self, let text = ResponseSerializer<String>.string as? Self { return text }
        if Value.self == Data.self, let data = ResponseSerializer<Data>.data as? Self { return data }
        if Value.self == Empty.self, let nothing = ResponseSerializer<Empty>.discard as? Self { return nothing }
        if Value.self == String?.self, let text = ResponseSerializer<String>.string.unlessEmpty as? Self { return text }
        if Value.self == Data?.self, let data = ResponseSerializer<Data>.data.unlessEmpty as? Self { return data }
        return .json
    }

    /// JSON; `coding` nil takes the client's coders. An empty body is nil where the type is an optional one, else an error.
    public static func json(coding: JSONCoding? = nil, accept: String = "application/json") -> ResponseSerializer {
        ResponseSerializer(accept: accept) { _, bytes, context in
            let isNothing = bytes.isEmpty && Value.self is any OptionalValue.Type
            return try (coding ?? context.coding).decode(Value.self, from: isNothing ? Bytes("null".utf8) : bytes)
        }
    }
}

/// What may be nil.
private protocol OptionalValue {}
extension Optional: OptionalValue {}

extension ResponseSerializer {
    /// The same of a whole body, nil for an empty one.
    fileprivate var unlessEmpty: ResponseSerializer<Value?> {
        ResponseSerializer<Value?>(accept: accept) { head, bytes, context in
            bytes.isEmpty ? nil : try convert(head, bytes, context)
        }
    }
}

extension ResponseSerializer where Value == Bytes {
    /// The bytes as they came.
    public static var bytes: ResponseSerializer { ResponseSerializer { _, bytes, _ in bytes } }
}

extension ResponseSerializer where Value == Data {
    /// The bytes as they came.
    public static var data: ResponseSerializer { ResponseSerializer { _, bytes, _ in bytes.data } }
}

extension ResponseSerializer where Value == ResponseBody {
    /// The body itself, still arriving.
    public static var body: ResponseSerializer { .streamed { _, body, _ in body } }
}

extension ResponseSerializer where Value == Empty {
    /// No content; any byte throws.
    public static var empty: ResponseSerializer {
        ResponseSerializer { _, bytes, _ in
            guard bytes.isEmpty else { throw UnexpectedContent(count: bytes.count) }
            return Empty()
        }
    }

    /// Whatever the body holds is dropped as it comes, however large it is.
    public static var discard: ResponseSerializer {
        ResponseSerializer(accept: nil, conversion: .discarded { _, _ in Empty() })
    }
}

/// A body where none was expected.
struct UnexpectedContent: Error, CustomStringConvertible {
    let count: Int
    var description: String { "the body should be empty and has \(count) bytes; use .discard to ignore them" }
}

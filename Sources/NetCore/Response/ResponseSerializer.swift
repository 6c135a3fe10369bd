#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings that the conversion of a response may use.
public struct SerializationContext: Sendable {
    /// The client's JSON coders.
    public var coding: JSONCoding

    /// Creates a context.
    public init(coding: JSONCoding = .standard) {
        self.coding = coding
    }
}

/// The conversion of a response to a value, with its `Accept` header and the way in which it receives the body.
///
///     let serializer = ResponseSerializer<[String: Int]>.json
public struct ResponseSerializer<Value: Sendable>: Sendable {
    package enum Conversion: Sendable {
        case collected(@Sendable (ResponseHead, Bytes, SerializationContext) throws -> Value)
        case streamed(@Sendable (ResponseHead, ResponseBody, SerializationContext) throws -> Value)
        case discarded(@Sendable (ResponseHead, SerializationContext) throws -> Value)
        /// Chosen when the head has arrived.
        case chosen(@Sendable (ResponseHead) throws -> ResponseSerializer<Value>)
    }

    /// The value of the `Accept` header if the request has none; nil sends none.
    public let accept: String?
    package let conversion: Conversion

    /// Creates a conversion of the complete body. An error it throws becomes `.decoding`, unless it's a ``NetError``.
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

    /// Creates a conversion that doesn't wait for the body: the value reads it as it arrives. The call ends when the
    /// body does.
    public static func streamed(
        accept: String? = nil,
        _ convert: @escaping @Sendable (ResponseHead, ResponseBody, SerializationContext) throws -> Value
    ) -> ResponseSerializer {
        ResponseSerializer(accept: accept, conversion: .streamed(convert))
    }

    /// Returns a serializer that transforms the value.
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
        case .chosen(let choose):
            ResponseSerializer<Other>(accept: accept, conversion: .chosen { try choose($0).map(transform) })
        }
    }

    /// Returns a serializer that is chosen by the head of a response, before its body is read. An error that `choose`
    /// throws becomes `.decoding`, unless it's a ``NetError``.
    ///
    ///     let serializer = ResponseSerializer<String>.byHead { head in
    ///         head[.contentType]?.hasPrefix("application/json") == true ? .json : .string
    ///     }
    public static func byHead(
        accept: String? = nil, _ choose: @escaping @Sendable (ResponseHead) throws -> ResponseSerializer
    ) -> ResponseSerializer {
        ResponseSerializer(accept: accept, conversion: .chosen(choose))
    }

    /// Returns the serializer for a response, which makes no further choice.
    package func resolved(for head: ResponseHead) throws -> ResponseSerializer {
        guard case .chosen(let choose) = conversion else { return self }
        return try choose(head).resolved(for: head)
    }

    /// Returns a serializer that is chosen by status code; throws ``UndeclaredResponse`` if `choose` returns nil.
    public static func byStatus(
        accept: String? = nil, _ choose: @escaping @Sendable (Int) -> ResponseSerializer?
    ) -> ResponseSerializer {
        ResponseSerializer(accept: accept) { head, bytes, context in
            guard let chosen = choose(head.status.code) else { throw UndeclaredResponse(status: head.status.code) }
            return try chosen.convert(head, bytes, context)
        }
    }

    /// Returns this serializer, restricted to responses with the given status codes; any other throws
    /// ``UndeclaredResponse``.
    ///
    ///     let serializer = ResponseSerializer<String>.string.on(404, 410)
    public func on(_ statuses: Int...) -> ResponseSerializer { on { statuses.contains($0) } }

    /// Returns this serializer, restricted to responses whose status code passes; any other throws
    /// ``UndeclaredResponse``.
    public func on(_ isDeclared: @escaping @Sendable (Int) -> Bool) -> ResponseSerializer {
        .byStatus(accept: accept) { isDeclared($0) ? self : nil }
    }

    /// Converts a complete body.
    package func convert(_ head: ResponseHead, _ bytes: Bytes, _ context: SerializationContext) throws -> Value {
        switch conversion {
        case .collected(let convert): try convert(head, bytes, context)
        case .streamed(let convert): try convert(head, ResponseBody(bytes), context)
        case .discarded(let make): try make(head, context)
        case .chosen: try resolved(for: head).convert(head, bytes, context)
        }
    }
}

/// An error for a response whose status the request doesn't declare.
public struct UndeclaredResponse: Error, Sendable, CustomStringConvertible {
    /// The status code.
    public let status: Int

    /// Creates an error.
    public init(status: Int) {
        self.status = status
    }

    public var description: String { "the request declares no response for status \(status)" }
}

extension ResponseSerializer where Value: Decodable {
    /// JSON, decoded with the client's coders. An empty body is nil if the type is optional, else an error.
    public static var json: ResponseSerializer { json() }

    /// The default serializer of a request: JSON, except that text and data are read as such; an empty body
    /// is nil if the type is optional.
    ///
    /// It's chosen by the type at run time, since generic code with the type as a parameter doesn't see overloads.
    static var byType: ResponseSerializer {
        if Value.self == String.self, let text = ResponseSerializer<String>.string as? Self { return text }
        if Value.self == Data.self, let data = ResponseSerializer<Data>.data as? Self { return data }
        if Value.self == String?.self, let text = ResponseSerializer<String>.string.unlessEmpty as? Self { return text }
        if Value.self == Data?.self, let data = ResponseSerializer<Data>.data.unlessEmpty as? Self { return data }
        return .json
    }

    /// Creates a serializer for JSON; `coding` nil uses the client's coders. An empty body is nil if the type is
    /// optional, else an error.
    public static func json(coding: JSONCoding? = nil, accept: String = "application/json") -> ResponseSerializer {
        ResponseSerializer(accept: accept) { _, bytes, context in
            let isNothing = bytes.isEmpty && Value.self is any OptionalValue.Type
            return try (coding ?? context.coding).decode(Value.self, from: isNothing ? Bytes("null".utf8) : bytes)
        }
    }
}

/// A type whose values may be nil.
private protocol OptionalValue {}
extension Optional: OptionalValue {}

extension ResponseSerializer {
    /// The same conversion of a complete body, with nil for an empty one.
    fileprivate var unlessEmpty: ResponseSerializer<Value?> {
        ResponseSerializer<Value?>(accept: accept) { head, bytes, context in
            bytes.isEmpty ? nil : try convert(head, bytes, context)
        }
    }
}

extension ResponseSerializer where Value == Bytes {
    /// The bytes as received.
    public static var bytes: ResponseSerializer { ResponseSerializer { _, bytes, _ in bytes } }
}

extension ResponseSerializer where Value == Data {
    /// The bytes as received.
    public static var data: ResponseSerializer { ResponseSerializer { _, bytes, _ in bytes.data } }
}

extension ResponseSerializer where Value == ResponseBody {
    /// The body itself, still arriving.
    public static var body: ResponseSerializer { .streamed { _, body, _ in body } }
}

extension ResponseSerializer where Value == Void {
    /// No content; a body that isn't empty throws `.decoding`.
    public static var empty: ResponseSerializer {
        ResponseSerializer { _, bytes, _ in
            guard bytes.isEmpty else { throw UnexpectedContent(count: bytes.count) }
            return ()
        }
    }

    /// No value; the body is discarded as it arrives, however large it is.
    public static var discard: ResponseSerializer {
        ResponseSerializer(accept: nil, conversion: .discarded { _, _ in () })
    }
}

/// An error for a body where none was expected.
struct UnexpectedContent: Error, CustomStringConvertible {
    let count: Int
    var description: String { "the body should be empty and has \(count) bytes; use .discard to ignore them" }
}

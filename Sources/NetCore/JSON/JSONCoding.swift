#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings for encoding and decoding JSON: two factories, so that every use has its own coder.
///
/// Decoding is strict (RFC 8259) and linear in the size of the document. It follows the strategies of the `JSONDecoder`
/// and reports the same errors. If several members have the same name, the first one counts. UTF-16 and UTF-32 are
/// recognized. Arrays and objects nest at most ``maximumDepth`` levels. A subclass of `JSONDecoder`, or a decoder that
/// allows JSON5 or assumes the outer braces, decodes the document itself once its depth is checked.
///
///     let coding = JSONCoding.snakeCaseISO8601
///     let bytes = try coding.encode(["firstName": "Ada"])
public struct JSONCoding: Sendable {
    /// The maximum number of levels to which arrays and objects may nest in JSON that is decoded: 512. A deeper
    /// document throws ``UnreadableJSON`` with the reason `.tooDeep`.
    public static let maximumDepth = 512

    /// Creates an encoder.
    public var makeEncoder: @Sendable () -> JSONEncoder
    /// Creates a decoder.
    public var makeDecoder: @Sendable () -> JSONDecoder

    /// Creates settings from two factories.
    public init(
        makeEncoder: @escaping @Sendable () -> JSONEncoder, makeDecoder: @escaping @Sendable () -> JSONDecoder
    ) {
        self.makeEncoder = makeEncoder
        self.makeDecoder = makeDecoder
    }

    /// Encodes a value.
    public func encode(_ value: some Encodable) throws -> Bytes {
        Bytes(try makeEncoder().encode(value))
    }

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError`. For bytes that aren't JSON, or nest too deeply, it is `.dataCorrupted` with an
    ///   ``UnreadableJSON`` as the underlying error.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Bytes) throws -> Value {
        let decoder = makeDecoder()
        do {
            guard !decoder.readsInItsOwnWay else {
                return try decoder.decode(type, from: JSONDepthCheck.checked(bytes, for: decoder).data)
            }
            let document = try JSONDocument(bytes)
            return try JSONTreeDecoder(JSONDecoding(document, JSONDecodingSettings(decoder)), 0).decode(type)
        } catch let error as UnreadableJSON {
            throw error.decodingError
        }
    }

    /// Leaves keys unchanged, writes dates as ISO 8601 with or without a fraction (RFC 3339), and data as base64.
    ///
    /// Members are sorted by name, so equal values encode to equal bytes. Digests, signatures and the lookup of equal
    /// requests depend on this.
    public static let standard = JSONCoding(
        makeEncoder: {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
            encoder.dateEncodingStrategy = .custom { date, encoder in
                guard RFC3339.canFormat(date) else {
                    let reason = DecodingFailure.Reason(description: "an RFC 3339 date-time has a year from 0 to 9999")
                    let context = EncodingError.Context(
                        codingPath: encoder.codingPath, debugDescription: reason.description, underlyingError: reason)
                    // Passes the number instead of the date: Foundation traps when it prints a date that far away.
                    throw EncodingError.invalidValue(date.timeIntervalSince1970, context)
                }
                var container = encoder.singleValueContainer()
                try container.encode(RFC3339.format(date))
            }
            return encoder
        },
        makeDecoder: {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .custom { decoder in
                let container = try decoder.singleValueContainer()
                let text = try container.decode(String.self)
                guard let date = RFC3339.date(from: text) else {
                    // The text is omitted: errors are printed, and it may be a secret.
                    let reason = DecodingFailure.Reason(description: "isn't an RFC 3339 date-time")
                    throw DecodingError.dataCorrupted(
                        .init(
                            codingPath: decoder.codingPath, debugDescription: "the text \(reason)",
                            underlyingError: reason))
                }
                return date
            }
            return decoder
        })

    /// ``standard`` with `snake_case` keys.
    public static let snakeCaseISO8601 = JSONCoding(
        makeEncoder: {
            let encoder = standard.makeEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            return encoder
        },
        makeDecoder: {
            let decoder = standard.makeDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        })
}

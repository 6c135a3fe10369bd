public import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a stub asks of a request's body.
public struct BodyMatcher: Sendable, CustomStringConvertible {
    /// What is asked, for people.
    public let description: String
    private let accepts: @Sendable (Bytes) -> Bool

    /// Accepts what `accepts` says of the whole body.
    public init(_ description: String, accepts: @escaping @Sendable (Bytes) -> Bool) {
        self.description = description
        self.accepts = accepts
    }

    /// No byte at all.
    public static let absent = BodyMatcher("no body") { $0.isEmpty }
    /// At least one byte.
    public static let present = BodyMatcher("a body") { !$0.isEmpty }

    /// Exactly these bytes.
    public static func exact(_ bytes: Bytes) -> BodyMatcher {
        BodyMatcher("exactly \(bytes.count) given bytes") { $0 == bytes }
    }

    /// Exactly this text in UTF-8.
    public static func text(_ text: String) -> BodyMatcher {
        BodyMatcher("the text \"\(text)\"") { $0.elementsEqual(text.utf8) }
    }

    /// JSON that decodes to a value equal to this one; key order and white space do not matter.
    public static func json<Value: Decodable & Equatable & Sendable>(
        _ value: Value, coding: JSONCoding = .standard
    ) -> BodyMatcher {
        BodyMatcher("JSON equal to a given \(Value.self)") { bytes in
            (try? coding.decode(Value.self, from: bytes)) == value
        }
    }

    /// A body the closure accepts.
    public static func satisfying(_ accepts: @escaping @Sendable (Bytes) -> Bool) -> BodyMatcher {
        BodyMatcher("a body its closure accepts", accepts: accepts)
    }

    func matches(_ body: Bytes) -> Bool { accepts(body) }
}

/// An error for bytes that can't be read as JSON: the problem and its position, without any content of the document.
///
/// ``JSONCoding`` throws it as the `underlyingError` of a `DecodingError.dataCorrupted`:
///
///     do {
///         _ = try JSONCoding.standard.decode([Int].self, from: Bytes("[1, 2".utf8))
///     } catch DecodingError.dataCorrupted(let context) {
///         let problem = context.underlyingError as? UnreadableJSON
///         print(problem?.reason == .malformed, problem?.byteOffset ?? 0)
///     }
public struct UnreadableJSON: Error, Sendable, Hashable {
    /// A kind of problem.
    public struct Reason: Sendable, Hashable {
        private let name: String

        /// The bytes don't follow the grammar of JSON (RFC 8259).
        public static let malformed = Reason(name: "malformed")
        /// Arrays and objects nest deeper than ``JSONCoding/maximumDepth``.
        public static let tooDeep = Reason(name: "tooDeep")
        /// The bytes aren't valid UTF-8, UTF-16 or UTF-32, or an escape isn't a whole character.
        public static let encoding = Reason(name: "encoding")
        /// The document has more bytes, 4 GiB, than the reader can address.
        public static let tooLarge = Reason(name: "tooLarge")
    }

    /// The kind of problem.
    public let reason: Reason
    /// The offset of the first unexpected byte, counted from 0; in UTF-16 and UTF-32, the offset of the same text in
    /// UTF-8.
    public let byteOffset: Int
    /// The problem as a sentence, without its position.
    package let problem: String
    /// The path to the value that can't be read, such as `exchanges[3].request`; empty for the document.
    package let place: String

    init(_ reason: Reason, _ problem: String, at byteOffset: Int, place: String = "") {
        self.reason = reason
        self.problem = problem
        self.byteOffset = byteOffset
        self.place = place
    }

    static func tooDeep(at byteOffset: Int, place: String = "") -> UnreadableJSON {
        UnreadableJSON(.tooDeep, "it is nested too deeply", at: byteOffset, place: place)
    }

    static func tooLarge(_ count: Int) -> UnreadableJSON {
        UnreadableJSON(.tooLarge, "it has \(count) bytes, more than 4 GiB", at: JSONDocument.maximumBytes)
    }
}

extension UnreadableJSON: CustomStringConvertible {
    public var description: String {
        reason == .tooDeep
            ? "arrays and objects nest deeper than \(JSONCoding.maximumDepth) levels (byte \(byteOffset))"
            : "it is not valid JSON: \(problem) (byte \(byteOffset))"
    }
}

extension UnreadableJSON {
    /// The error in the form that JSON decoders throw.
    var decodingError: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: description, underlyingError: self))
    }
}

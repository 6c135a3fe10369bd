/// The errors of a JSON decoder, with the same cases as Foundation's. They hold no value of the document.
enum JSONFailure {
    static func number(_ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            .init(
                codingPath: path, debugDescription: "the number does not fit its type",
                underlyingError: DecodingFailure.Reason(description: "holds a number that does not fit its type")))
    }

    static func mismatch(_ type: Any.Type, _ entry: JSONEntry, _ path: [any CodingKey]) -> DecodingError {
        // Types that try several forms discard most of these errors, so the message isn't composed here.
        .typeMismatch(type, .init(codingPath: path, debugDescription: entry.mismatch))
    }

    static func null(_ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .valueNotFound(type, .init(codingPath: path, debugDescription: "found null instead"))
    }

    static func missing(_ key: any CodingKey, _ path: [any CodingKey]) -> DecodingError {
        .keyNotFound(
            key,
            .init(codingPath: path, debugDescription: "there is no member \"\(key.stringValue)\""))
    }

    static func atEnd(_ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        .valueNotFound(type, .init(codingPath: path, debugDescription: "the array has no more elements"))
    }

    static func invalid(_ what: String, _ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: what))
    }
}

/// The place of an element in a coding path.
struct JSONIndexKey: CodingKey {
    let index: Int
    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }
}

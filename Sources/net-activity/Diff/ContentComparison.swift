#if Tools
internal import NetCore
internal import NetStore

/// The difference between two bodies: JSON by structure, other text by lines, everything else by bytes.
struct ContentComparison {
    enum Kind: String {
        case json, text, binary
    }

    /// Larger bodies are compared as bytes.
    private static let maximumParsedBytes = 16 << 20

    /// The kind of comparison; nil if the bodies weren't compared.
    private(set) var kind: Kind?
    /// True if the compared parts are equal.
    private(set) var isSame = true
    /// Notes on parts that weren't compared, and why.
    private(set) var notes: [String] = []
    /// The first differences.
    private(set) var differences: [BodyDifference] = []
    /// The total number of differences.
    private(set) var count = 0
    /// The sizes of the whole bodies; nil if they aren't known.
    let oldSize, newSize: Int64?

    /// - Parameters:
    ///   - old: A body; nil if nothing is known about it.
    ///   - new: The other body.
    ///   - limit: The maximum number of differences kept.
    init(_ old: ComparedCall.Body?, _ new: ComparedCall.Body?, limit: Int) {
        (oldSize, newSize) = (old?.size, new?.size)
        guard let old, let new, !old.isMissing, !new.isMissing else {
            notes.append("a body wasn't captured, so only sizes can be compared")
            compareSizes(hasMarks: false)
            return
        }
        var (first, second) = (old.bytes, new.bytes)
        let isCut = old.isCut || new.isCut
        if isCut { Self.cut(&first, &second, isCut: (old.isCut, new.isCut), notes: &notes) }
        defer {
            if isCut { compareSizes(hasMarks: [old.bytes, new.bytes].contains { !HiddenMark.places(in: $0).isEmpty }) }
        }
        if first == second {
            kind = Self.text(first) == nil ? .binary : .text
            return
        }
        compare(first, second, mayBeJSON: !isCut, limit: limit)
    }

    private mutating func compare(_ old: Bytes, _ new: Bytes, mayBeJSON: Bool, limit: Int) {
        let isSmall = max(old.count, new.count) <= Self.maximumParsedBytes
        if isSmall, mayBeJSON, let first = JSONTreeReader.read(old), let second = JSONTreeReader.read(new) {
            kind = .json
            let json = JSONDifferences(first, second, limit: limit)
            (differences, count) = (json.found, json.count)
            if json.hidden > 0 { notes.append("\(Figures.counted(json.hidden, "hidden value")) not compared") }
        } else if isSmall, let first = Self.text(old), let second = Self.text(new) {
            kind = .text
            let lines = LineDifferences(first, second, limit: limit)
            (differences, count) = (lines.found, lines.count)
        } else if let offset = ByteComparison.firstDifference(old, new) {
            kind = .binary
            let place = "byte \(Figures.grouped(offset))"
            differences = [
                BodyDifference(place, old: Self.hexadecimal(old, offset), new: Self.hexadecimal(new, offset))
            ]
            count = 1
        }
        isSame = count == 0
    }

    /// Compares the sizes of incompletely captured bodies, unless they contain hidden values: secrets of different
    /// lengths change the size.
    private mutating func compareSizes(hasMarks: Bool) {
        guard let oldSize, let newSize, oldSize != newSize, !hasMarks else { return }
        isSame = false
        count += 1
        differences.insert(
            BodyDifference(
                "size", old: "\(Figures.grouped(Int(oldSize))) B", new: "\(Figures.grouped(Int(newSize))) B"),
            at: 0)
    }

    /// Truncates both to the part that both have.
    private static func cut(
        _ old: inout Bytes, _ new: inout Bytes, isCut: (old: Bool, new: Bool), notes: inout [String]
    ) {
        // If the shorter body is whole, the rest of the longer one isn't compared here; `compareSizes` reports it.
        let length = isCut.old && isCut.new ? min(old.count, new.count) : isCut.old ? old.count : new.count
        var end = min(length, old.count, new.count)
        // A secret at the cut isn't hidden in the same way as a complete one.
        for bytes in [old, new] {
            if let mark = HiddenMark.places(in: bytes).last(where: { $0.range.lowerBound < end }),
                mark.range.upperBound + 16 > end
            {
                end = mark.range.lowerBound
            }
        }
        (old, new) = (characters(old[0..<end]), characters(new[0..<end]))
        let which = isCut.old && isCut.new ? "both bodies were" : isCut.old ? "the old body was" : "the new body was"
        notes.append("\(which) captured in part, so only the first \(Figures.grouped(end)) bytes are compared")
    }

    /// Returns the bytes without an incomplete character at the end.
    private static func characters(_ bytes: Bytes) -> Bytes {
        for missing in 0..<min(4, bytes.count) where text(bytes[0..<(bytes.count - missing)]) != nil {
            return bytes[0..<(bytes.count - missing)]
        }
        return bytes
    }

    /// Returns nil for bytes that aren't text.
    private static func text(_ bytes: Bytes) -> String? {
        bytes.withUnsafeBytes { $0.contains(0) ? nil : String(validating: $0, as: UTF8.self) }
    }

    private static func hexadecimal(_ bytes: Bytes, _ offset: Int) -> String? {
        guard offset < bytes.count else { return nil }
        return bytes[offset..<min(offset + 8, bytes.count)].withUnsafeBytes { part in
            part.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        }
    }
}
#endif

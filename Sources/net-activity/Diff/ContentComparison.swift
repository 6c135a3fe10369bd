#if Tools
internal import NetCore
internal import NetStore

/// The difference of two bodies: JSON by its structure, other text by lines, everything else by bytes.
struct ContentComparison {
    enum Kind: String {
        case json, text, binary
    }

    /// Larger bodies are compared as bytes.
    private static let maximumParsedBytes = 16 << 20

    /// How they were compared; nil if they weren't.
    private(set) var kind: Kind?
    /// Whether they are equal, as far as they were compared.
    private(set) var isSame = true
    /// What wasn't compared, and why.
    private(set) var notes: [String] = []
    /// The first differences.
    private(set) var differences: [BodyDifference] = []
    /// How many there are in all.
    private(set) var count = 0
    /// The sizes of the whole bodies; nil if they aren't known.
    let oldSize, newSize: Int64?

    /// - Parameters:
    ///   - old: A body; nil if nothing is known of it.
    ///   - new: The other one.
    ///   - limit: How many differences are kept.
    init(_ old: ComparedCall.Body?, _ new: ComparedCall.Body?, limit: Int) {
        (oldSize, newSize) = (old?.size, new?.size)
        guard let old, let new, !old.isMissing, !new.isMissing else {
            notes.append("a body wasn't captured, so that only sizes can be compared")
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

    /// The sizes of bodies of which parts are missing. Secrets of other lengths make other sizes.
    private mutating func compareSizes(hasMarks: Bool) {
        guard let oldSize, let newSize, oldSize != newSize, !hasMarks else { return }
        isSame = false
        count += 1
        differences.insert(
            BodyDifference(
                "size", old: "\(Figures.grouped(Int(oldSize))) B", new: "\(Figures.grouped(Int(newSize))) B"),
            at: 0)
    }

    /// Cuts both to the part that both have.
    private static func cut(
        _ old: inout Bytes, _ new: inout Bytes, isCut: (old: Bool, new: Bool), notes: inout [String]
    ) {
        // The shorter one may be whole: then the longer one is longer.
        let length = isCut.old && isCut.new ? min(old.count, new.count) : isCut.old ? old.count : new.count
        var end = min(length, old.count, new.count)
        // A secret at the cut isn't hidden as a whole one is.
        for bytes in [old, new] {
            if let mark = HiddenMark.places(in: bytes).last(where: { $0.range.lowerBound < end }),
                mark.range.upperBound + 16 > end
            {
                end = mark.range.lowerBound
            }
        }
        (old, new) = (characters(old[0..<end]), characters(new[0..<end]))
        let which = isCut.old && isCut.new ? "both bodies were" : isCut.old ? "the old body was" : "the new body was"
        notes.append("\(which) captured in part, so that only the first \(Figures.grouped(end)) bytes are compared")
    }

    /// The bytes without the beginning of a character at their end.
    private static func characters(_ bytes: Bytes) -> Bytes {
        for missing in 0..<min(4, bytes.count) where text(bytes[0..<(bytes.count - missing)]) != nil {
            return bytes[0..<(bytes.count - missing)]
        }
        return bytes
    }

    /// Nil for bytes that aren't text.
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

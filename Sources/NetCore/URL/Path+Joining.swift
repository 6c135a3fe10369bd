#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Each operator appends exactly one segment, whatever the value contains.
extension Path {
    /// Appends a text as one segment.
    ///
    ///     let path = Path("users") / "a/b"
    ///     print(path.encoded)  // users/a%2Fb
    public static func / (path: Path, segment: String) -> Path {
        var path = path
        path.beginSegment()
        path.append(value: segment)
        return path
    }

    /// Appends a value as one segment.
    public static func / (path: Path, value: some LosslessStringConvertible) -> Path {
        path / value.description
    }

    /// Appends the raw value of an enumeration or of another raw-value type as one segment.
    public static func / <Value: RawRepresentable>(path: Path, value: Value) -> Path
    where Value.RawValue: CustomStringConvertible {
        path / value.rawValue.description
    }

    /// Appends the raw value, not the description, of a type that has both.
    public static func / <Value: RawRepresentable & LosslessStringConvertible>(path: Path, value: Value) -> Path
    where Value.RawValue: CustomStringConvertible {
        path / value.rawValue.description
    }

    /// Appends a UUID as one segment, in uppercase, as Foundation writes it.
    public static func / (path: Path, value: UUID) -> Path {
        path / value.uuidString
    }

    /// Returns this path followed by `other`, joined with one slash. An empty `other` changes nothing.
    ///
    /// It isn't a `/` operator, so that text after a `/` is always one segment, whether it's a literal or a variable.
    ///
    ///     let shelf: Path = "shelves/\(7)"
    ///     print(shelf.appending("books/").encoded)  // shelves/7/books/
    public func appending(_ other: Path) -> Path {
        var path = self
        path.refusal = refusal ?? other.refusal
        path.mistake = mistake ?? other.mistake
        guard !other.isVoid else { return path }
        guard !isVoid else {
            path = other
            path.refusal = refusal ?? other.refusal
            path.mistake = mistake ?? other.mistake
            return path
        }
        if other.encoded.utf8.first != Self.slash { path.beginSegment() }
        let start = path.encoded.utf8.count
        path.encoded += other.encoded
        path.emptyValues += other.emptyValues.map { start + $0 }
        return path
    }

    /// True if the path is empty and has no empty values. An empty value is a mistake, not an empty path.
    var isVoid: Bool { encoded.isEmpty && emptyValues.isEmpty }

    private mutating func beginSegment() {
        let endsEmpty = emptyValues.last == encoded.utf8.count
        if endsEmpty || !encoded.isEmpty && !endsInSlash { encoded += "/" }
    }
}

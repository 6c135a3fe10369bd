#if Tools
internal import NetCore

/// One difference between two bodies.
struct BodyDifference: Equatable {
    /// The place: `$.items[3].price`, `line 12`, `byte 1,024`.
    var place: String
    /// The values there; nil if only the other body has one.
    var old, new: String?

    /// The maximum number of characters shown of a value.
    static let limit = 60

    /// Creates a difference of two texts, each shortened to the part in which they differ.
    init(_ place: String, old: String?, new: String?) {
        self.place = place
        (self.old, self.new) = Self.excerpts(old, new)
    }

    /// The difference as text: `$.price: 12 → 13`, `$.price: 12 is gone`, `$.price: 13 is new`.
    var text: String {
        switch (old, new) {
        case (let old?, let new?): "\(place): \(old) → \(new)"
        case (let old?, nil): "\(place): \(old) is gone"
        case (nil, let new?): "\(place): \(new) is new"
        case (nil, nil): place
        }
    }

    private static func excerpts(_ old: String?, _ new: String?) -> (String?, String?) {
        guard let old, let new, max(old.utf8.count, new.utf8.count) > limit else {
            return (old.map { excerpt($0, from: 0) }, new.map { excerpt($0, from: 0) })
        }
        let common = zip(old.unicodeScalars, new.unicodeScalars).prefix { $0 == $1 }.count
        let start = common < limit / 2 ? 0 : common - limit / 4
        return (excerpt(old, from: start), excerpt(new, from: start))
    }

    private static func excerpt(_ text: String, from start: Int) -> String {
        let part = text.unicodeScalars.dropFirst(start).prefix(limit + 1)
        let shown = TerminalText.clean(String(String.UnicodeScalarView(part)))
        return TerminalText.cut((start > 0 ? "…" : "") + shown, to: limit)
    }
}
#endif

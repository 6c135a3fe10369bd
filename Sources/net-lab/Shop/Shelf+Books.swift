#if Tools && Server
internal import Foundation
internal import NetCore

extension Shelf {
    /// Returns the ID of a book by its number.
    static func id(_ number: Int) -> UUID {
        let low = UInt8(truncatingIfNeeded: number)
        let high = UInt8(truncatingIfNeeded: number >> 8)
        return UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, high, low))
    }

    /// The books at the start: twelve real ones and twelve almanacs.
    static var firstBooks: [Book] {
        let famous: [(String, String, Genre, Int64)] = [
            ("Moby-Dick", "Herman Melville", .seaStories, 1250), ("Typee", "Herman Melville", .seaStories, 990),
            ("The Sea-Wolf", "Jack London", .seaStories, 1100), ("Treasure Island", "R. L. Stevenson", .children, 890),
            ("Kidnapped", "R. L. Stevenson", .children, 850), ("Lord Jim", "Joseph Conrad", .novel, 1300),
            ("Typhoon", "Joseph Conrad", .seaStories, 2350), ("Persuasion", "Jane Austen", .novel, 1050),
            ("Emma", "Jane Austen", .novel, 1075), ("Leaves of Grass", "Walt Whitman", .poetry, 1400),
            ("Sea Garden", "H. D.", .poetry, 1195), ("The Influence of Sea Power", "A. T. Mahan", .history, 2600),
        ]
        let almanacs = (2001...2012).map { ("Harbour Almanac \($0)", "The Harbour Master", Genre.history, Int64(700)) }
        return (famous + almanacs).enumerated().map { index, entry in
            let (title, author, genre, price) = entry
            return Book(
                isbn: "9780000000\(100 + index)", title: title, authors: [author], genre: genre,
                price: Money(amount: price, currency: .eur), id: id(index + 1),
                createdAt: today.addingTimeInterval(Double(index)))
        }
    }
}

extension Money {
    /// The amount as text, such as `12.50 EUR`.
    var text: String {
        let cents = amount % 100
        return "\(amount / 100).\(cents < 10 ? "0" : "")\(cents) \(currency)"
    }
}
#endif

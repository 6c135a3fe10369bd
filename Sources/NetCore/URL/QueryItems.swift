/// The items of a query or a form, in order and with their repetitions.
///
/// A dictionary literal is enough for most queries; an array literal accepts all kinds of items.
///
///     let items: QueryItems = ["page": 2, "q": "a b"]
///     print(items.encodedQuery)  // page=2&q=a%20b
///     let marked: QueryItems = [QueryItem("tag", "x"), .flag("archived")]
///     print((items + marked).count)  // 4
public struct QueryItems: Sendable, Hashable {
    private var items: [QueryItem]

    /// Creates an empty list.
    public init() {
        items = []
    }
}

extension QueryItems: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(arrayLiteral elements: QueryItem...) {
        items = elements
    }

    /// Creates one item per entry, in the order of the literal; names may repeat.
    public init(dictionaryLiteral elements: (String, any LosslessStringConvertible)...) {
        items = elements.map { QueryItem($0, $1.description as String?) }
    }
}

extension QueryItems: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    public var startIndex: Int { items.startIndex }
    public var endIndex: Int { items.endIndex }

    public subscript(position: Int) -> QueryItem {
        get { items[position] }
        set { items[position] = newValue }
    }

    public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<QueryItem>) {
        items.replaceSubrange(range, with: elements)
    }
}

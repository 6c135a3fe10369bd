/// Structured field values (RFC 9651): the common syntax of newer HTTP fields, read strictly and written in one way.
///
/// A field is an ``Item``, a ``List`` or a ``Dictionary``; its definition says which. Parsing takes time linear in the
/// input, and throws ``StructuredFieldError`` with the place of the first byte that is wrong: a field that is malformed is
/// ignored as a whole (RFC 9651 section 4.2). Several lines of a field are one value, joined by commas.
///
///     let priority = try StructuredField.Dictionary(parsing: "u=2, i")
///     print(priority["u"]?.item?.value ?? .integer(3), priority["i"]?.item?.value ?? .boolean(false))
///     print(try priority.serialized())  // u=2, i
public enum StructuredField {
    /// The most bytes of a value that is parsed. 64 KiB: each type and count that RFC 9651 asks for fits in.
    public static let maximumBytes = 64 << 10

    /// Values by key, in the order in which the keys came first.
    public typealias Parameters = OrderedMap<BareItem>
    /// A field whose members have keys.
    public typealias Dictionary = OrderedMap<Member>

    /// A value with its parameters.
    public struct Item: Sendable, Hashable {
        /// The value.
        public var value: BareItem
        /// What is said of it.
        public var parameters: Parameters

        /// Pairs a value with its parameters. Default none.
        public init(_ value: BareItem, parameters: Parameters = [:]) {
            self.value = value
            self.parameters = parameters
        }
    }

    /// Items in parentheses, with parameters of their own.
    public struct InnerList: Sendable, Hashable {
        /// The items.
        public var items: [Item]
        /// What is said of the whole.
        public var parameters: Parameters

        /// Pairs items with parameters. Default none.
        public init(_ items: [Item] = [], parameters: Parameters = [:]) {
            self.items = items
            self.parameters = parameters
        }
    }

    /// What a list or a dictionary has: items, and lists of them.
    public enum Member: Sendable, Hashable {
        case item(Item)
        case innerList(InnerList)

        /// A value without parameters.
        public static func item(_ value: BareItem) -> Member { .item(Item(value)) }

        /// The item; nil for an inner list.
        public var item: Item? {
            if case .item(let item) = self { item } else { nil }
        }

        /// The inner list; nil for an item.
        public var innerList: InnerList? {
            if case .innerList(let list) = self { list } else { nil }
        }

        /// What is said of it.
        public var parameters: Parameters {
            switch self {
            case .item(let item): item.parameters
            case .innerList(let list): list.parameters
            }
        }
    }

    /// A field whose members stand in a row.
    public struct List: Sendable, Hashable, ExpressibleByArrayLiteral {
        /// The members.
        public var members: [Member]

        /// Takes the members. A list without any is written as an empty text: leave the field out.
        public init(_ members: [Member] = []) {
            self.members = members
        }

        public init(arrayLiteral elements: Member...) {
            members = elements
        }
    }
}

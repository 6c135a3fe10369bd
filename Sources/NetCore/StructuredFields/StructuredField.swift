/// Structured field values (RFC 9651): the common syntax of newer HTTP fields, parsed strictly and written in
/// canonical form.
///
/// The definition of a field determines whether it is an ``Item``, a ``List`` or a ``Dictionary``. Parsing takes time
/// linear in the input. A malformed field throws ``StructuredFieldError`` with the position of the first invalid byte,
/// and must be ignored as a whole (RFC 9651 section 4.2). Several lines of a field are one value, joined by commas.
///
///     let priority = try StructuredField.Dictionary(parsing: "u=2, i")
///     print(priority["u"]?.item?.value ?? .integer(3), priority["i"]?.item?.value ?? .boolean(false))
///     print(try priority.serialized())  // u=2, i
public enum StructuredField {
    /// The maximum size of a parsed value in bytes: 64 KiB, which covers all sizes and counts that RFC 9651 requires.
    public static let maximumBytes = 64 << 10

    /// Values by key, in the order in which the keys first occurred.
    public typealias Parameters = OrderedMap<BareItem>
    /// A field whose members have keys.
    public typealias Dictionary = OrderedMap<Member>

    /// A value with its parameters.
    public struct Item: Sendable, Hashable {
        /// The value.
        public var value: BareItem
        /// The parameters of the value.
        public var parameters: Parameters

        /// Creates an item. Default: no parameters.
        public init(_ value: BareItem, parameters: Parameters = [:]) {
            self.value = value
            self.parameters = parameters
        }
    }

    /// Items in parentheses, with their own parameters.
    public struct InnerList: Sendable, Hashable {
        /// The items.
        public var items: [Item]
        /// The parameters of the whole list.
        public var parameters: Parameters

        /// Creates an inner list. Default: no parameters.
        public init(_ items: [Item] = [], parameters: Parameters = [:]) {
            self.items = items
            self.parameters = parameters
        }
    }

    /// A member of a list or a dictionary: an item, or an inner list.
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

        /// The parameters of the member.
        public var parameters: Parameters {
            switch self {
            case .item(let item): item.parameters
            case .innerList(let list): list.parameters
            }
        }
    }

    /// A field whose members form a sequence.
    public struct List: Sendable, Hashable, ExpressibleByArrayLiteral {
        /// The members.
        public var members: [Member]

        /// Creates a list. An empty list is written as an empty text; omit the header in that case.
        public init(_ members: [Member] = []) {
            self.members = members
        }

        public init(arrayLiteral elements: Member...) {
            members = elements
        }
    }
}

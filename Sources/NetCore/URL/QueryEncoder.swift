/// An encoder that writes an `Encodable` object as query items, at any nesting depth.
///
/// Properties keep their order; members of dictionaries and elements of sets are sorted, so that equal values result in
/// equal text. Numbers keep all their digits, `true` and `1` stay distinct, dates are RFC 3339, data is base64; nil and
/// empty lists are omitted. A dictionary is encoded as an object if each of its keys is a single text or number.
///
///     struct Filter: Encodable { let tags = ["a", "b"], owner = ["id": 7] }
///     let items = try QueryEncoder(arrays: .repeated).encode(Filter())
///     print(items.map { "\($0.name)=\($0.value ?? "")" })  // tags=a, tags=b, owner[id]=7
public struct QueryEncoder: Sendable, Hashable {
    /// The style in which a list is written.
    public enum ArrayStyle: Sendable, Hashable {
        /// `tags[]=a&tags[]=b`: PHP, Rails. The default.
        case brackets
        /// `tags=a&tags=b`.
        case repeated
        /// `tags=a,b`; a comma within a value is escaped.
        case comma
        /// `tags[0]=a&tags[1]=b`; the only style for lists of objects or lists.
        case indexed
    }

    /// The style in which a member of a nested object is written.
    public enum NestingStyle: Sendable, Hashable {
        /// `owner[id]=7`. The default.
        case brackets
        /// `owner.id=7`.
        case dot
    }

    /// The style of lists. Default ``ArrayStyle/brackets``.
    public var arrays: ArrayStyle
    /// The style of nested members. Default ``NestingStyle/brackets``.
    public var nesting: NestingStyle

    /// Creates an encoder.
    public init(arrays: ArrayStyle = .brackets, nesting: NestingStyle = .brackets) {
        self.arrays = arrays
        self.nesting = nesting
    }

    /// Returns query items for the members of an object.
    ///
    /// Throws `.encoding` for a value that isn't an object; for a value that can't be encoded, such as a number that
    /// isn't finite or a date after the year 9999; and for a list of lists or objects in a style other than
    /// ``ArrayStyle/indexed``, which no server could parse.
    public func encode(_ value: some Encodable) throws(NetError) -> QueryItems {
        let encoded: ParameterValue
        do {
            encoded = try ParameterValue(value)
        } catch {
            if let error = NetError(error) { throw error }
            throw Self.refuse("a query cannot be encoded: \(ErrorSummary.describe(error))", underlying: error)
        }
        guard case .object(let members) = encoded else {
            throw Self.refuse("a query must be an object with members, not \(type(of: value))")
        }
        var items: QueryItems = []
        for member in members { try append(member.value, named: member.name, to: &items) }
        return items
    }

    /// Returns query items for the members of an object, for a declared query, which can't throw. If ``encode(_:)``
    /// would throw, preparing the request throws `.invalidRequest` instead.
    ///
    ///     struct Search: APIRequest {
    ///         struct Filter: Encodable, Sendable { let tags: [String] }
    ///         typealias Response = [String]
    ///         let filter: Filter
    ///         var path: Path { "search" }
    ///         var query: QueryItems { QueryEncoder().items(of: filter) }
    ///     }
    public func items(of value: some Encodable) -> QueryItems {
        do throws(NetError) {
            return try encode(value)
        } catch {
            var item = QueryItem.flag("")
            item.problem = error.message
            return [item]
        }
    }

    private func append(_ value: ParameterValue, named name: String, to items: inout QueryItems) throws(NetError) {
        switch value {
        case .null: break
        case .scalar(let text): items.append(QueryItem(name, text))
        case .array(let elements): try append(elements, named: name, to: &items)
        case .object(let members):
            for member in members {
                let name = nesting == .dot ? "\(name).\(member.name)" : "\(name)[\(member.name)]"
                try append(member.value, named: name, to: &items)
            }
        }
    }

    private func append(
        _ elements: [ParameterValue], named name: String, to items: inout QueryItems
    ) throws(NetError) {
        if arrays == .indexed {
            for (index, element) in elements.enumerated() {
                try append(element, named: nesting == .dot ? "\(name).\(index)" : "\(name)[\(index)]", to: &items)
            }
            return
        }
        var texts: [String] = []
        for element in elements {
            switch element {
            case .null: break
            case .scalar(let text): texts.append(text)
            case .array, .object:
                throw Self.refuse("\"\(name)\" is a list of lists or objects; write lists with the style .indexed")
            }
        }
        switch arrays {
        case .brackets: items += QueryItem.items("\(name)[]", texts)
        case .repeated, .indexed: items += QueryItem.items(name, texts)
        case .comma: if let item = QueryItem.joined(name, texts) { items.append(item) }
        }
    }

    private static func refuse(_ message: String, underlying: (any Error)? = nil) -> NetError {
        NetError(.encoding, phase: .preparing, message: message, underlying: underlying)
    }
}

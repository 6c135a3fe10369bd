/// One name and value of a query or a form; order and repetition are kept.
///
///     let items = [QueryItem("tag", "a b"), QueryItem("tag", "c+d")]
///     print(items.encodedQuery)  // tag=a%20b&tag=c%2Bd
public struct QueryItem: Sendable, Hashable {
    /// The name, not encoded.
    public var name: String
    /// The value, not encoded; nil sends the name alone (`?flag`).
    public var value: String?
    /// Leaves the reserved characters of the value as they are (OpenAPI `allowReserved`), `&` and `+` too: escape what
    /// your server would misread. Default false.
    public var allowsReserved: Bool
    /// The value is percent-encoded already, as a list with its separators is. Default false.
    public var isEncoded: Bool
    /// Why the item cannot be sent: preparing a request with it throws. nil for a good one.
    package var problem: String?

    /// Makes an item; `value` nil sends the name alone.
    public init(_ name: String, _ value: String?, allowsReserved: Bool = false, isEncoded: Bool = false) {
        self.name = name
        self.value = value
        self.allowsReserved = allowsReserved
        self.isEncoded = isEncoded
    }

    /// Makes an item of a number, truth value or anything else with a text.
    public init(_ name: String, _ value: some LosslessStringConvertible) {
        self.init(name, value.description as String?)
    }

    /// A name without a value: `?flag`.
    public static func flag(_ name: String) -> QueryItem {
        QueryItem(name, nil as String?)
    }
}

extension [QueryItem] {
    /// `a=1&b=2`, every byte outside the unreserved set escaped, so that `+`, `&` and `=` survive any server.
    public var encodedQuery: String {
        var text = ""
        for item in self {
            if !text.isEmpty { text += "&" }
            text += PercentEncoding.encode(item.name)
            guard let value = item.value else { continue }
            text += "="
            text +=
                item.isEncoded
                ? value : PercentEncoding.encode(value, allowing: item.allowsReserved ? .query : .unreserved)
        }
        return text
    }

    /// `a=1&b=x+y`, the `application/x-www-form-urlencoded` serializer (WHATWG URL section 5.2).
    public var formEncoded: String {
        var text = ""
        for item in self {
            if !text.isEmpty { text += "&" }
            let value = item.value ?? ""
            text += PercentEncoding.formEncode(item.name) + "="
            text += item.isEncoded ? value : PercentEncoding.formEncode(value)
        }
        return text
    }
}

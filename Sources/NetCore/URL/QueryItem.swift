/// A name and a value of a query or a form. Order and repetitions are kept.
///
///     let items: QueryItems = [QueryItem("tag", "a b"), QueryItem("tag", "c+d")]
///     print(items.encodedQuery)  // tag=a%20b&tag=c%2Bd
public struct QueryItem: Sendable, Hashable {
    /// The name, not encoded.
    public var name: String
    /// The value, not encoded; nil sends only the name (`?flag`).
    public var value: String?
    /// True to keep the reserved characters of the value (OpenAPI `allowReserved`), including `&` and `+`; escape the
    /// ones that your server would misread. Default false.
    public var allowsReserved: Bool
    /// True if the value is already percent-encoded, like a list with its separators. Default false.
    public var isEncoded: Bool
    /// The reason why the item can't be sent, which makes preparing a request throw; nil if the item can be sent.
    package var problem: String?
    /// The name as written in a template, if it differs from the encoding of ``name``; ignored if it doesn't decode to
    /// ``name``.
    package var writtenName: String?

    /// Creates an item; `value` nil sends only the name.
    public init(_ name: String, _ value: String?, allowsReserved: Bool = false, isEncoded: Bool = false) {
        self.name = name
        self.value = value
        self.allowsReserved = allowsReserved
        self.isEncoded = isEncoded
    }

    /// Creates an item from part of a complete query, which is sent byte for byte.
    package init(written item: some StringProtocol) {
        let pieces = item.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(decoding: pieces[0], as: UTF8.self)
        let value = pieces.count > 1 ? String(decoding: pieces[1], as: UTF8.self) : nil
        self.init(PercentEncoding.decode(written), value, isEncoded: true)
        if written.isEmpty || written != PercentEncoding.encode(name) { writtenName = written }
    }

    /// Creates an item from a number, a Boolean, or another value that converts to text.
    public init(_ name: String, _ value: some LosslessStringConvertible) {
        self.init(name, value.description as String?)
    }

    /// Creates an item from the raw value of an enumeration.
    public init<Value: RawRepresentable>(_ name: String, _ value: Value)
    where Value.RawValue: LosslessStringConvertible {
        self.init(name, value.rawValue)
    }

    /// Creates an item from the raw value, not the description, of a type that has both.
    public init<Value: RawRepresentable & LosslessStringConvertible>(_ name: String, _ value: Value)
    where Value.RawValue: LosslessStringConvertible {
        self.init(name, value.rawValue)
    }

    /// Creates an item with a name and no value: `?flag`.
    public static func flag(_ name: String) -> QueryItem {
        QueryItem(name, nil as String?)
    }
}

extension QueryItems {
    /// The query `a=1&b=2`, with every byte outside the unreserved set escaped, so that every server reads `+`, `&` and
    /// `=` in values correctly.
    public var encodedQuery: String {
        var text = ""
        var isFirst = true
        for item in self {
            if !isFirst { text += "&" }
            let written = item.writtenName.flatMap { PercentEncoding.decode($0) == item.name ? $0 : nil }
            text += written ?? PercentEncoding.encode(item.name)
            // An item without a name and a value is omitted, unless a template contains it.
            isFirst = text.isEmpty && written == nil && item.value == nil
            guard let value = item.value else { continue }
            text += "="
            text +=
                item.isEncoded
                ? value : PercentEncoding.encode(value, allowing: item.allowsReserved ? .query : .unreserved)
        }
        return text
    }

    /// The form `a=1&b=x+y`, in the format of the `application/x-www-form-urlencoded` serializer (WHATWG URL section
    /// 5.2).
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

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
    /// The name as a template wrote it, where that is not how ``name`` would be encoded; counts as long as it means
    /// ``name``.
    package var writtenName: String?

    /// Makes an item; `value` nil sends the name alone.
    public init(_ name: String, _ value: String?, allowsReserved: Bool = false, isEncoded: Bool = false) {
        self.name = name
        self.value = value
        self.allowsReserved = allowsReserved
        self.isEncoded = isEncoded
    }

    /// An item of a query that is written already, byte for byte.
    init(written item: some StringProtocol) {
        let pieces = item.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(decoding: pieces[0], as: UTF8.self)
        let value = pieces.count > 1 ? String(decoding: pieces[1], as: UTF8.self) : nil
        self.init(PercentEncoding.decode(written), value, isEncoded: true)
        if written.isEmpty || written != PercentEncoding.encode(name) { writtenName = written }
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
        var isFirst = true
        for item in self {
            if !isFirst { text += "&" }
            let written = item.writtenName.flatMap { PercentEncoding.decode($0) == item.name ? $0 : nil }
            text += written ?? PercentEncoding.encode(item.name)
            // Nothing at all is no item, but where a template has it.
            isFirst = text.isEmpty && written == nil && item.value == nil
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

/// The encoding of a form body's property that isn't written as `form` with `explode` (OpenAPI Encoding Object).
@_spi(Generated) public struct FormEncoding: Sendable, Hashable {
    /// The serialization style. Default ``ParameterStyle/form``.
    @_spi(Generated) public var style: ParameterStyle
    /// True if a list becomes repeated fields. Default true.
    @_spi(Generated) public var explode: Bool

    /// Creates an encoding; the defaults are those of the specification.
    @_spi(Generated) public init(style: ParameterStyle = .form, explode: Bool = true) {
        self.style = style
        self.explode = explode
    }
}

extension RequestBody {
    /// Encodes an object as `application/x-www-form-urlencoded`, one field per property; omits properties that are nil.
    ///
    /// - Parameters:
    ///   - value: A value that encodes as an object; anything else throws `.encoding`.
    ///   - encoding: The encodings, by name, of properties that aren't written in the default way.
    @_spi(Generated) public static func form(_ value: some Encodable & Sendable, encoding: [String: FormEncoding] = [:])
        -> RequestBody
    {
        RequestBody { coding in
            try RequestBody.form(ParameterValue(value).formItems(encoding)).resolved(with: coding)
        }
    }
}

extension ParameterValue {
    var isObject: Bool { if case .object = self { true } else { false } }

    /// Returns the fields of a form, not escaped yet; throws `.encoding` for values that have none.
    func formItems(_ encoding: [String: FormEncoding] = [:]) throws(NetError) -> QueryItems {
        switch self {
        case .null: return []
        case .object(let members):
            var items = QueryItems()
            for member in members {
                let chosen = encoding[member.name] ?? FormEncoding(style: member.value.isObject ? .deepObject : .form)
                let own = chosen.style.items(
                    member.value, name: member.name, explode: chosen.explode, allowsReserved: false)
                items += own.map(\.decoded)
            }
            return items
        case .scalar, .array:
            throw NetError(.encoding, phase: .preparing, message: "a form body must be an object with fields")
        }
    }
}

extension QueryItem {
    /// The item with a decoded value, because the form serializer escapes values itself.
    fileprivate var decoded: QueryItem {
        isEncoded ? QueryItem(name, value.map { PercentEncoding.decode($0) }) : self
    }
}

/// How one property of a form body is written, where it is not as `form` with `explode` (OpenAPI Encoding Object).
public struct FormEncoding: Sendable, Hashable {
    /// The style.
    public var style: ParameterStyle
    /// Whether a list becomes repeated fields.
    public var explode: Bool

    /// Takes both; the defaults are those of the specification.
    public init(style: ParameterStyle = .form, explode: Bool = true) {
        self.style = style
        self.explode = explode
    }
}

extension RequestBody {
    /// An object as `application/x-www-form-urlencoded`, a field for each property; a property that is nil is left out.
    ///
    /// - Parameters:
    ///   - value: A type that encodes as an object; anything else is an `.encoding` error.
    ///   - encoding: The properties that are not written in the default way.
    public static func form(_ value: some Encodable & Sendable, encoding: [String: FormEncoding] = [:]) -> RequestBody {
        RequestBody { coding in
            try RequestBody.form(ParameterValue(value).formItems(encoding)).resolved(with: coding)
        }
    }
}

extension ParameterValue {
    var isObject: Bool { if case .object = self { true } else { false } }

    /// The fields of a form, not escaped yet; throws `.encoding` for what has none.
    func formItems(_ encoding: [String: FormEncoding] = [:]) throws(NetError) -> [QueryItem] {
        switch self {
        case .null: return []
        case .object(let members):
            return members.flatMap { member in
                let chosen = encoding[member.name] ?? FormEncoding(style: member.value.isObject ? .deepObject : .form)
                return chosen.style.items(
                    member.value, name: member.name, explode: chosen.explode, allowsReserved: false
                ).map(\.decoded)
            }
        case .scalar, .array:
            throw NetError(.encoding, phase: .preparing, message: "a form body must be an object with fields")
        }
    }
}

extension QueryItem {
    /// The form serializer escapes for itself.
    fileprivate var decoded: QueryItem {
        isEncoded ? QueryItem(name, value.map { PercentEncoding.decode($0) }) : self
    }
}

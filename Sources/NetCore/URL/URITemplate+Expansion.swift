extension URITemplate {
    /// The expansion style of an operator (the table in RFC 6570 appendix A).
    enum Style: Sendable, Hashable {
        case simple, reserved, fragment, label, path, matrix, query, continuation

        /// Creates the style of an operator; nil for any other byte.
        init?(operator byte: UInt8) {
            switch byte {
            case UInt8(ascii: "+"): self = .reserved
            case UInt8(ascii: "#"): self = .fragment
            case UInt8(ascii: "."): self = .label
            case UInt8(ascii: "/"): self = .path
            case UInt8(ascii: ";"): self = .matrix
            case UInt8(ascii: "?"): self = .query
            case UInt8(ascii: "&"): self = .continuation
            default: return nil
            }
        }

        var first: String {
            switch self {
            case .simple, .reserved: ""
            case .fragment: "#"
            case .label: "."
            case .path: "/"
            case .matrix: ";"
            case .query: "?"
            case .continuation: "&"
            }
        }

        var separator: String {
            switch self {
            case .simple, .reserved, .fragment: ","
            case .label: "."
            case .path: "/"
            case .matrix: ";"
            case .query, .continuation: "&"
            }
        }

        var isNamed: Bool { self == .matrix || self == .query || self == .continuation }
        /// The text after a name with an empty value.
        var ifEmpty: String { self == .query || self == .continuation ? "=" : "" }
        /// True if reserved characters and escapes are kept.
        var keepsReserved: Bool { self == .reserved || self == .fragment }
    }

    func append(
        _ expression: Expression, _ variables: [String: Value?], to output: inout [UInt8]
    ) throws(URITemplateError) {
        let style = expression.style
        var isFirst = true
        for variable in expression.variables {
            guard let value = variables[variable.name] ?? nil, !value.isUndefined else { continue }
            output += (isFirst ? style.first : style.separator).utf8
            isFirst = false
            output += try text(of: variable, value, style).utf8
        }
    }

    private func text(of variable: Variable, _ value: Value, _ style: Style) throws(URITemplateError) -> String {
        func escape(_ text: String) -> String {
            PercentEncoding.encode(text, allowing: style.keepsReserved ? .reserved : .unreserved)
        }
        func named(_ name: String, _ text: String) -> String {
            guard style.isNamed else { return text }
            return text.isEmpty ? name + style.ifEmpty : "\(name)=\(text)"
        }
        let isExploded = variable.modifier == .explode
        switch value.content {
        case .text(let text):
            guard case .prefix(let length) = variable.modifier else { return named(variable.name, escape(text)) }
            let start = Self.prefix(of: text, length: length, keepsEscapes: style.keepsReserved)
            return named(variable.name, escape(start))
        case _ where variable.modifier != .none && !isExploded:
            throw URITemplateError(
                .prefixOfList, position: variable.position,
                message: "the variable \"\(variable.name)\" has a prefix length, so its value must be text")
        case .list(let elements):
            let texts = elements.map(escape)
            if !isExploded { return named(variable.name, texts.joined(separator: ",")) }
            return texts.map { named(variable.name, $0) }.joined(separator: style.separator)
        case .pairs(let pairs):
            if !isExploded {
                let texts = pairs.flatMap { [escape($0.name), escape($0.value)] }
                return named(variable.name, texts.joined(separator: ","))
            }
            let texts = pairs.map { pair in
                let (name, text) = (escape(pair.name), escape(pair.value))
                return style.isNamed ? named(name, text) : "\(name)=\(text)"
            }
            return texts.joined(separator: style.separator)
        }
    }

    /// Returns the first `length` code points; an escape that is kept counts as one (section 2.4.1).
    private static func prefix(of text: String, length: Int, keepsEscapes: Bool) -> String {
        var rest = text.unicodeScalars[...]
        var count = 0
        while count < length, let scalar = rest.first {
            let isEscape =
                keepsEscapes && scalar == "%"
                && PercentEncoding.isEscape(rest.prefix(3).map { UInt8(clamping: $0.value) })
            rest = rest.dropFirst(isEscape ? 3 : 1)
            count += 1
        }
        return String(text.unicodeScalars[..<rest.startIndex])
    }
}

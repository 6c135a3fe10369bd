#if Server
internal import NetCore
internal import NetTesting

extension SchemaCheck {
    mutating func checkText(_ schema: Schema, _ text: String, _ part: Int) -> Bool {
        var isGood = true
        if schema.minLength != nil || schema.maxLength != nil {
            let length = text.unicodeScalars.count
            if let least = schema.minLength, length < least {
                isGood = fail(part, schema, "minLength", "the text has \(length) characters, fewer than \(least)")
            }
            if let most = schema.maxLength, length > most {
                isGood = fail(part, schema, "maxLength", "the text has \(length) characters, more than \(most)")
            }
        }
        if let pattern = schema.pattern {
            spend(text.utf8.count / 16)
            if pattern.matches(text) == false {
                let shown = JSONValue.string(text).shown
                isGood = fail(part, schema, "pattern", "\(shown) does not match \(schema.patternText ?? "")")
            }
        }
        if let format = schema.format, !FormatCheck.accepts(text, format: format) {
            isGood = fail(part, schema, "format", "\(JSONValue.string(text).shown) isn't a valid \(format)")
        }
        if schema.contentEncoding == "base64", !FormatCheck.accepts(text, format: "byte") {
            isGood = fail(part, schema, "contentEncoding", "\(JSONValue.string(text).shown) isn't valid base64")
        }
        return isGood
    }

    mutating func checkNumber(_ schema: Schema, _ value: JSONValue, _ part: Int) -> Bool {
        guard let number = value.doubleValue else { return true }
        var isGood = true
        if let least = schema.minimum, schema.excludesMinimum ? number <= least : number < least {
            let keyword = schema.excludesMinimum ? "exclusiveMinimum" : "minimum"
            let words = schema.excludesMinimum ? "not greater than" : "less than"
            isGood = fail(
                part, schema, keyword, "\(value.shown) is \(words) \(JSONValue.number(least).canonical.shown)")
        }
        if let most = schema.maximum, schema.excludesMaximum ? number >= most : number > most {
            let keyword = schema.excludesMaximum ? "exclusiveMaximum" : "maximum"
            let words = schema.excludesMaximum ? "not less than" : "greater than"
            isGood = fail(part, schema, keyword, "\(value.shown) is \(words) \(JSONValue.number(most).canonical.shown)")
        }
        if let step = schema.multipleOf, !Self.isMultiple(value, of: step) {
            let shown = JSONValue.number(step).canonical.shown
            isGood = fail(part, schema, "multipleOf", "\(value.shown) isn't a multiple of \(shown)")
        }
        if let name = schema.format, let format = IntegerFormat(rawValue: name),
            JSONTypes(of: value).contains(.integer), !format.holds(value)
        {
            isGood = fail(part, schema, "format", "\(value.shown) doesn't fit in \(name)")
        }
        return isGood
    }

    /// Indicates whether a number is a multiple: exactly for whole numbers, otherwise within the precision of `Double`.
    private static func isMultiple(_ value: JSONValue, of step: Double) -> Bool {
        if case .integer(let whole) = value.canonical, let step = Int64(exactly: step) { return whole % step == 0 }
        guard let number = value.doubleValue else { return true }
        let quotient = number / step
        guard quotient.isFinite else { return true }
        return abs(quotient - quotient.rounded()) <= 1e-9 * max(1, abs(quotient))
    }
}
#endif

extension DecodingError {
    /// The error without the values that its text quotes under names that denote secrets, and without those that show by
    /// themselves that they are secrets. A decoder's text may quote the value that it can't read, for example
    /// `Cannot initialize Token from invalid String value …`.
    var withoutSecrets: DecodingError {
        switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, context.withoutSecrets())
        case .valueNotFound(let type, let context): .valueNotFound(type, context.withoutSecrets())
        case .keyNotFound(let key, let context): .keyNotFound(key, context.withoutSecrets(under: key))
        case .dataCorrupted(let context): .dataCorrupted(context.withoutSecrets())
        @unknown default: self
        }
    }
}

extension DecodingError.Context {
    fileprivate func withoutSecrets(under key: (any CodingKey)? = nil) -> DecodingError.Context {
        let policy = RedactionPolicy.safeDefault
        let names = codingPath + [key].compactMap { $0 }
        let isSecret = names.contains { policy.isSensitive(bodyName: $0.stringValue) }
        let description = isSecret ? policy.placeholder : Printed.text(debugDescription)
        let cause = isSecret && !(underlyingError is any SecretlessError) ? nil : underlyingError
        if description == debugDescription, (cause == nil) == (underlyingError == nil) { return self }
        return DecodingError.Context(codingPath: codingPath, debugDescription: description, underlyingError: cause)
    }
}

/// A decoding error in one sentence: where in the document, and what was expected. Values are left out: they may be
/// secrets.
enum DecodingFailure {
    static func describe(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .typeMismatch(let type, let context):
            return "\(place(context)) is not of type \(type)"
        case .valueNotFound(let type, let context):
            return "\(place(context)) is null or missing, expected \(type)"
        case .keyNotFound(let key, let context):
            return "\(place(context)) has no member \"\(key.stringValue)\""
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "it is not valid JSON" : "\(place(context)) cannot be read: \(context.debugDescription)"
        @unknown default:
            return "it cannot be decoded"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        guard !context.codingPath.isEmpty else { return "the document" }
        let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        return "$" + path.joined()
    }
}

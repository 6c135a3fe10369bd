public import HTTPTypes

/// A result builder for headers, from fields, optionals, whole `HTTPFields`, `if` and `for`. Every field is appended,
/// so repetitions are kept.
///
///     let tags = ["a", "b"]
///     @HeadersBuilder var headers: HTTPFields {
///         HTTPField(name: .acceptLanguage, value: "en")
///         for tag in tags { HTTPField(name: .ifNoneMatch, value: "\"\(tag)\"") }
///     }
///     print(headers[values: .ifNoneMatch].count)  // 2
@resultBuilder
public enum HeadersBuilder {
    public static func buildExpression(_ field: HTTPField) -> HTTPFields { one(field) }
    public static func buildExpression(_ field: HTTPField?) -> HTTPFields { field.map(one) ?? [:] }
    public static func buildExpression(_ headers: HTTPFields) -> HTTPFields { headers }
    public static func buildExpression(_ headers: HTTPFields?) -> HTTPFields { headers ?? [:] }
    public static func buildBlock(_ parts: HTTPFields...) -> HTTPFields { buildArray(parts) }
    public static func buildOptional(_ part: HTTPFields?) -> HTTPFields { part ?? [:] }
    public static func buildEither(first part: HTTPFields) -> HTTPFields { part }
    public static func buildEither(second part: HTTPFields) -> HTTPFields { part }
    public static func buildLimitedAvailability(_ part: HTTPFields) -> HTTPFields { part }
    public static func buildArray(_ parts: [HTTPFields]) -> HTTPFields {
        guard parts.count != 1 else { return parts[0] }
        var headers = HTTPFields()
        for part in parts { headers.append(contentsOf: part) }
        return headers
    }

    private static func one(_ field: HTTPField) -> HTTPFields {
        var headers = HTTPFields()
        headers.append(field)
        return headers
    }
}

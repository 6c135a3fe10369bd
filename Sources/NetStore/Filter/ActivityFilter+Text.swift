/// Terms that compare text. A pattern matches a part of the text or, with a `*`, all of it; ``literal(_:)`` escapes
/// wildcards.
extension ActivityFilter {
    /// Returns the text with a backslash before each `*`, `?` and `\`, so that it's searched for literally.
    public static func literal(_ text: String) -> String {
        FilterPattern(text.unicodeScalars.map { .literal($0) }).text
    }

    /// The URL or the operation; a bare word in an expression.
    public static func text(_ pattern: String) -> ActivityFilter { text(.word, pattern) }

    /// The host without its port; with the port if the pattern has a colon. `~d` in an expression.
    public static func host(_ pattern: String) -> ActivityFilter { text(.host, pattern) }

    /// The redacted URL; `~u` in an expression.
    public static func url(_ pattern: String) -> ActivityFilter { text(.url, pattern) }

    /// The method; `~m` in an expression.
    public static func method(_ pattern: String) -> ActivityFilter { text(.method, pattern) }

    /// A captured header of the request or the response, as a line `name: value`; `~h` in an expression.
    public static func header(_ pattern: String) -> ActivityFilter { text(.header, pattern) }

    /// A captured header of the request; `~hq` in an expression.
    public static func requestHeader(_ pattern: String) -> ActivityFilter { text(.requestHeader, pattern) }

    /// A captured header or trailer of the response; `~hs` in an expression.
    public static func responseHeader(_ pattern: String) -> ActivityFilter { text(.responseHeader, pattern) }

    /// A captured body, a WebSocket message, or the message of a log line; `~b` in an expression.
    public static func body(_ pattern: String) -> ActivityFilter { text(.body, pattern) }

    /// The captured body of the request, or a sent message; `~bq` in an expression.
    public static func requestBody(_ pattern: String) -> ActivityFilter { text(.requestBody, pattern) }

    /// The captured body of the response, or a received message; `~bs` in an expression.
    public static func responseBody(_ pattern: String) -> ActivityFilter { text(.responseBody, pattern) }

    /// The media type of the request's or the response's body; `~t` in an expression.
    public static func contentType(_ pattern: String) -> ActivityFilter { text(.contentType, pattern) }

    /// The operation; `~op` in an expression.
    public static func operation(_ pattern: String) -> ActivityFilter { text(.operation, pattern) }

    /// One of the tags; `~tag` in an expression.
    public static func tag(_ pattern: String) -> ActivityFilter { text(.tag, pattern) }

    /// The comment added to an entry; `~comment` in an expression.
    public static func comment(_ pattern: String) -> ActivityFilter { text(.comment, pattern) }

    /// The code or message of the failure; `cancelled` and `cutOff` match entries with that outcome. `~error` in an
    /// expression.
    public static func error(_ pattern: String) -> ActivityFilter { text(.error, pattern) }

    /// The last decision of the cache; `~cache` in an expression.
    public static func cache(_ pattern: String) -> ActivityFilter { text(.cache, pattern) }

    private static func text(_ field: FilterField, _ pattern: String) -> ActivityFilter {
        ActivityFilter(node: .term(.text(field, FilterPattern(pattern))))
    }
}

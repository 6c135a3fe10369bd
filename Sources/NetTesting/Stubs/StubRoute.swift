public import HTTPTypes

/// The key of a table of routes: `GET /users?page=2`, `GET /users/{id}`, or `/health` for any method.
///
/// A query, percent-encoded, must be equal, with its items in any order. Without `?`, any query matches; a `?` at the
/// end requires that there is no query.
public struct StubRoute: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method; nil matches any method.
    public var method: HTTPRequest.Method?
    /// The path.
    public var path: PathTemplate
    /// The exact query, percent-encoded; nil for no condition.
    public var query: String?

    /// Creates a route.
    public init(_ method: HTTPRequest.Method?, _ path: PathTemplate, query: String? = nil) {
        self.method = method
        self.path = path
        self.query = query
    }

    /// Reads `METHOD /path?query`; the text before the first space is the method, if a path follows.
    public init(_ text: String) {
        var rest = text[...]
        if let space = text.firstIndex(of: " "), let method = HTTPRequest.Method(String(text[..<space])) {
            self.method = method
            rest = text[text.index(after: space)...]
        }
        let mark = rest.firstIndex(of: "?")
        path = PathTemplate(String(rest[..<(mark ?? rest.endIndex)]))
        query = mark.map { String(rest[rest.index(after: $0)...]) }
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The route as written, without the secrets of its query.
    public var description: String {
        (method.map { "\($0.rawValue) " } ?? "") + path.description + (query.map { Shown.target("?\($0)") } ?? "")
    }

    /// The specificity: lower ranks are more specific and come first.
    fileprivate var rank: (Int, Int, Int) {
        (path.parameterCount, query == nil ? 1 : 0, method == nil ? 1 : 0)
    }
}

extension Stub {
    /// Returns the stubs of a table of routes. Of several matching stubs, the most specific one responds: a path
    /// without parameters before a template, then a route with a query, then a route with a method; among equals, the
    /// first.
    ///
    ///     let transport = MockTransport(
    ///         Stub.routes([
    ///             "GET /users?page=2": .json(["Grace"]),
    ///             "GET /users": .json(["Ada"]),
    ///             "GET /users/{id}": .json(["name": "Ada"]),
    ///             "/users": .status(.methodNotAllowed),
    ///         ]))
    public static func routes(
        _ table: KeyValuePairs<StubRoute, StubResponse>, fileID: StaticString = #fileID, line: UInt = #line
    ) -> [Stub] {
        // The standard library's sort isn't guaranteed to be stable, so equal elements are ordered by index.
        table.enumerated()
            .sorted { left, right in
                let (first, second) = (left.element.key.rank, right.element.key.rank)
                return first == second ? left.offset < right.offset : first < second
            }
            .map { entry in
                let route = entry.element.key
                var stub = Stub(route.method, route.path, entry.element.value, fileID: fileID, line: line)
                stub.exactQuery = route.query
                return stub
            }
    }
}

extension StubRoute: CustomReflectable {
    /// The description.
    public var customMirror: Mirror { Mirror(self, children: ["route": description], displayStyle: .struct) }
}

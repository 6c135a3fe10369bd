public import HTTPTypes

/// What a table of routes is keyed by: `GET /users?page=2`, `GET /users/{id}`, or `/health` for every method.
///
/// A query, percent-encoded, is asked for exactly, its items in any order; without `?` every query will do, and a `?` at
/// the end asks for none.
public struct StubRoute: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method; nil matches every method.
    public var method: HTTPRequest.Method?
    /// The path.
    public var path: PathTemplate
    /// The exact query, percent-encoded; nil asks nothing.
    public var query: String?

    /// Puts the parts together.
    public init(_ method: HTTPRequest.Method?, _ path: PathTemplate, query: String? = nil) {
        self.method = method
        self.path = path
        self.query = query
    }

    /// Reads `METHOD /path?query`; what stands before the first space is the method, if a path follows.
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

    /// The route as it's written, without secrets of its query.
    public var description: String {
        (method.map { "\($0.rawValue) " } ?? "") + path.description + (query.map { Shown.target("?\($0)") } ?? "")
    }

    /// How much it asks for: what asks for more comes first.
    fileprivate var rank: (Int, Int, Int) {
        (path.parameterCount, query == nil ? 1 : 0, method == nil ? 1 : 0)
    }
}

extension Stub {
    /// Stubs of a table of routes. Of several that match, the one answers that asks for more: a path without parameters
    /// before a template, then one with a query, then one with a method; among equals the first.
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
        // The sort of the library keeps no order among equals by promise: their places do.
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

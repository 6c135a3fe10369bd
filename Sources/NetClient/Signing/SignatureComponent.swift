public import HTTPTypes
internal import NetCore

extension MessageSignature {
    /// A part of a message that a signature covers (RFC 9421 section 2).
    ///
    ///     let components: [MessageSignature.Component] = [
    ///         .method, .targetURI, .header(.contentType), .queryItem("q"), .contentDigest,
    ///     ]
    ///     print(components.map(\.description))
    public struct Component: Sendable, Hashable {
        let item: StructuredField.Item
        /// True if a message that lacks the component is signed without it.
        var isOptional = false

        init(_ name: String, _ parameters: StructuredField.Parameters = [:]) {
            item = StructuredField.Item(.string(name), parameters: parameters)
        }

        init(_ item: StructuredField.Item) { self.item = item }

        var name: String { item.value.string ?? "" }

        /// The method.
        public static let method = Component("@method")
        /// The whole URL.
        public static let targetURI = Component("@target-uri")
        /// The host and the port, without a default port.
        public static let authority = Component("@authority")
        /// The scheme.
        public static let scheme = Component("@scheme")
        /// The path and the query, as in the request line.
        public static let requestTarget = Component("@request-target")
        /// The path.
        public static let path = Component("@path")
        /// The query with its `?`, even if it is empty.
        public static let query = Component("@query")
        /// The status of a response.
        public static let status = Component("@status")
        /// The digest of the body (RFC 9530). If a request doesn't have one, a SHA-256 digest is added; a request
        /// without a body is signed without this component.
        public static let contentDigest = {
            var component = Component("content-digest")
            component.isOptional = true
            return component
        }()

        /// A query item, whose name must occur once.
        public static func queryItem(_ name: String) -> Component {
            Component("@query-param", ["name": .string(Self.formEncoded(name))])
        }

        /// A header, with all its lines joined.
        public static func header(_ name: HTTPField.Name) -> Component { Component(name.canonicalName) }

        /// A member of a header that is a dictionary (RFC 9651).
        public static func dictionaryMember(_ key: String, of name: HTTPField.Name) -> Component {
            Component(name.canonicalName, ["key": .string(key)])
        }

        /// A header whose lines are wrapped as bytes, which separates lines that must not be joined, such as those of
        /// `Set-Cookie`.
        public static func wrappedHeader(_ name: HTTPField.Name) -> Component {
            Component(name.canonicalName, ["bs": .boolean(true)])
        }

        /// The same component of the request that a response belongs to.
        public var ofRequest: Component {
            var item = item
            item.parameters["req"] = .boolean(true)
            return Component(item)
        }

        static func formEncoded(_ text: String) -> String {
            PercentEncoding.formEncode(text).replacing("+", with: "%20")
        }
    }
}

extension MessageSignature.Component: CustomStringConvertible {
    /// The component as it is sent: `"@query-param";name="q"`.
    public var description: String { (try? item.serialized()) ?? name }
}

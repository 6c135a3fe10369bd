/// The pagination rule of a list, as described by the document.
struct PaginationModel: Hashable, Sendable {
    /// A member of a page, from the outside in, by the names in JSON; empty for the page itself.
    typealias Member = [String]

    enum Rule: Hashable, Sendable {
        /// The relation `next` of the header `Link`.
        case link
        /// A URL in the page.
        case url(Member)
        /// A value of the page that the next request sends in a query parameter.
        case cursor(parameter: String, Member)
        /// Page numbers, until a page has no elements.
        case number(parameter: String, first: Int, list: Member)
        /// The number of elements before a page, until one has none.
        case offset(parameter: String, first: Int, list: Member)
    }

    var rule: Rule
}

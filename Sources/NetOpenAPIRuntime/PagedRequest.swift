public import NetCore

/// A request whose responses are the pages of a list, as declared by the document.
///
/// ```swift no-check
/// for try await page in api.books.listBooks.pages(.init(limit: 50)) {
///     print(page.value.items.count)
/// }
/// ```
public protocol PagedRequest: APIRequest {
    /// The rule for getting from one page to the next.
    var paging: Paging<Response> { get }
}

extension Call where Operation: PagedRequest {
    /// Returns the pages, starting with that of the request and continuing as declared by the document; see
    /// ``APIClient/pages(_:by:limit:)``.
    public func pages(_ request: Operation, limit: Int = 1000) -> PageSequence<Operation> {
        pages(request, by: request.paging, limit: limit)
    }
}

extension DefaultCall where Operation: PagedRequest {
    /// Returns the pages, starting with that of the request and continuing as declared by the document; see
    /// ``APIClient/pages(_:by:limit:)``.
    public func pages(_ request: Operation? = nil, limit: Int = 1000) -> PageSequence<Operation> {
        let first = request ?? self.request
        return pages(first, by: first.paging, limit: limit)
    }
}

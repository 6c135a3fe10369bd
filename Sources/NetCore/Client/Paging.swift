internal import HTTPTypes

/// A rule for finding the next page of a list. `Value` is the type that a page is decoded as.
///
///     struct Items: Decodable, Sendable { let items: [String], next: String? }
///     let request = Request<Items>("items")
///     for try await page in client.pages(request, by: .cursor(in: "cursor") { $0.next }) {
///         print(page.value.items)
///     }
public struct Paging<Value: Sendable>: Sendable {
    /// The step that follows a page.
    public enum Step: Sendable, Hashable {
        /// No further page: that was the last.
        case end
        /// The request with another URL, relative to that of the page.
        case url(String)
        /// The request with this query item in place of those with the same name.
        case item(name: String, value: String)
    }

    private let decide: @Sendable (Response<Value>, Int) -> Step

    /// Creates a rule that decides from a page and its number, counted from 0.
    public init(_ decide: @escaping @Sendable (_ page: Response<Value>, _ number: Int) -> Step) {
        self.decide = decide
    }

    func step(after page: Response<Value>, number: Int) -> Step { decide(page, number) }

    /// Follows the link with a relation in the `Link` header (RFC 8288). Default `next`. A page without one is the
    /// last.
    public static func link(_ relation: String = "next") -> Paging {
        Paging { page, _ in page.head.headers.links[relation].map { .url($0.target) } ?? .end }
    }

    /// Follows a URL in the page itself, absolute or relative; nil for the last page.
    public static func url(_ next: @escaping @Sendable (Value) -> String?) -> Paging {
        Paging { page, _ in next(page.value).map { .url($0) } ?? .end }
    }

    /// Sends the cursor of each page as a query item; nil or empty for the last page.
    public static func cursor(in item: String, _ next: @escaping @Sendable (Value) -> String?) -> Paging {
        Paging { page, _ in
            guard let cursor = next(page.value), !cursor.isEmpty else { return .end }
            return .item(name: item, value: cursor)
        }
    }

    /// Sends page numbers as a query item, from the second page on.
    ///
    /// - Parameters:
    ///   - item: The name of the query item.
    ///   - first: The number of the first page. Default 1.
    ///   - isLast: Returns true if a page is the last: an empty one often is.
    public static func number(
        in item: String, first: Int = 1, isLast: @escaping @Sendable (Value) -> Bool
    ) -> Paging {
        Paging { page, number in
            let (next, overflow) = first.addingReportingOverflow(number + 1)
            return isLast(page.value) || overflow ? .end : .item(name: item, value: String(next))
        }
    }

    /// Sends the number of elements before a page as a query item, from the second page on; a page without elements is
    /// the last.
    ///
    /// - Parameters:
    ///   - item: The name of the query item.
    ///   - first: The offset of the first page. Default 0.
    ///   - count: Returns the number of elements in a page.
    public static func offset(
        in item: String, first: Int = 0, count: @escaping @Sendable (Value) -> Int
    ) -> Paging {
        Paging { page, _ in
            let count = count(page.value)
            guard count > 0 else { return .end }
            let before = page.url.flatMap { PagingQuery.value(of: item, in: $0) }.flatMap { Int($0) } ?? first
            let (next, overflow) = before.addingReportingOverflow(count)
            return overflow ? .end : .item(name: item, value: String(next))
        }
    }
}

extension Paging.Step: CustomReflectable {
    /// The URL or item without secrets.
    public var customMirror: Mirror {
        switch self {
        case .end: Mirror(self, children: [:], displayStyle: .enum)
        case .url(let url): Mirror(self, children: ["url": Printed.url(url)], displayStyle: .enum)
        case .item(let name, let value):
            Mirror(self, children: ["item": QueryItem(name, value as String?)], displayStyle: .enum)
        }
    }
}

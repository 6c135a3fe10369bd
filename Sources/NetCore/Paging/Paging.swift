internal import HTTPTypes

/// How one page leads to the next. `Value` is what a page is decoded as.
///
///     struct Items: Decodable, Sendable { let items: [String], next: String? }
///     let request = Request<Items>("items")
///     for try await page in client.pages(request, by: .cursor(in: "cursor") { $0.next }) {
///         print(page.value.items)
///     }
public struct Paging<Value: Sendable>: Sendable {
    /// What comes after a page.
    public enum Step: Sendable, Hashable {
        /// Nothing: that was the last.
        case end
        /// A URL, relative to that of the page.
        case url(String)
        /// The same request with this query item in place of those of its name.
        case item(name: String, value: String)
    }

    private let decide: @Sendable (Response<Value>, Int) -> Step

    /// Decides from a page and its number, counted from 0.
    public init(_ decide: @escaping @Sendable (_ page: Response<Value>, _ number: Int) -> Step) {
        self.decide = decide
    }

    func step(after page: Response<Value>, number: Int) -> Step { decide(page, number) }

    /// The link of a relation in the field `Link` (RFC 8288). Default `next`. A page without one is the last.
    public static func link(_ relation: String = "next") -> Paging {
        Paging { page, _ in page.head.fields.links[relation].map { .url($0.target) } ?? .end }
    }

    /// A URL in the page itself, relative or not; nil for the last page.
    public static func url(_ next: @escaping @Sendable (Value) -> String?) -> Paging {
        Paging { page, _ in next(page.value).map { .url($0) } ?? .end }
    }

    /// A cursor that each page brings, sent as a query item; nil or empty for the last page.
    public static func cursor(in item: String, _ next: @escaping @Sendable (Value) -> String?) -> Paging {
        Paging { page, _ in
            guard let cursor = next(page.value), !cursor.isEmpty else { return .end }
            return .item(name: item, value: cursor)
        }
    }

    /// Numbers, sent as a query item from the second page on.
    ///
    /// - Parameters:
    ///   - item: The query item.
    ///   - first: The number of the first page. Default 1.
    ///   - isLast: Whether a page is the last: an empty one often is.
    public static func number(
        in item: String, first: Int = 1, isLast: @escaping @Sendable (Value) -> Bool
    ) -> Paging {
        Paging { page, number in
            let (next, overflow) = first.addingReportingOverflow(number + 1)
            return isLast(page.value) || overflow ? .end : .item(name: item, value: String(next))
        }
    }

    /// How many elements came before a page, sent as a query item from the second page on; a page without elements is the
    /// last.
    ///
    /// - Parameters:
    ///   - item: The query item.
    ///   - first: The offset of the first page. Default 0.
    ///   - count: How many elements a page has.
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

#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetTesting

extension Shop {
    /// The catalog.
    var bookStubs: [Stub] {
        [
            Stub(.get, "/v1/books") { [self] in listBooks($0) },
            Stub(.post, "/v1/books") { [self] in try createBook($0) },
            Stub(.get, "/v1/books/batch") { [self] request in
                let ids = (request.queryValue("ids") ?? "").split(separator: ",").map { UUID(uuidString: String($0)) }
                return .json(with { shelf in ids.compactMap { shelf.book($0) } })
            }.priority(1),
            Stub(.get, "/v1/books/{bookId}") { [self] in getBook($0) },
            Stub(.put, "/v1/books/{bookId}") { [self] request in
                let new = try request.decode(NewBook.self)
                return .found(change(request.bookID) { $0 = Book(new, id: $0.id, createdAt: $0.createdAt) })
            },
            Stub(.patch, "/v1/books/{bookId}") { [self] request in
                let patch = try request.decode(BookPatch.self)
                return .found(change(request.bookID) { $0.apply(patch) })
            },
            Stub(.delete, "/v1/books/{bookId}") { [self] request in
                let count = with { shelf in
                    let before = shelf.books.count
                    shelf.books.removeAll { $0.id == request.bookID }
                    return before - shelf.books.count
                }
                return count > 0 ? .status(.noContent) : .problem(404, "there is no such book")
            },
            Stub(.get, "/v1/books/{bookId}/cover") { [self] in cover($0) },
            Stub(.put, "/v1/books/{bookId}/cover") { [self] request in
                guard let id = request.bookID, with({ $0.book(id) }) != nil else {
                    return .problem(404, "there is no such book")
                }
                with { $0.covers[id] = request.body.count }
                return .status(.noContent)
            },
            Stub(.get, "/v1/authors/{authorId}") { [self] in getAuthor($0) },
        ]
    }

    private func change(_ id: UUID?, _ change: (inout Book) -> Void) -> Book? {
        with { shelf in
            guard let index = shelf.books.firstIndex(where: { $0.id == id }) else { return nil }
            change(&shelf.books[index])
            return shelf.books[index]
        }
    }

    private func listBooks(_ request: StubRequest) -> StubResponse {
        guard request.queryValue("limit").flatMap({ Int($0) }) ?? 20 <= 100 else {
            return .invalid([("limit", "at most 100")])
        }
        let genres = request.queryValues("genre")
        let author = request.queryValue("filter[author]")
        let maximum = request.queryValue("filter[maxPrice]").flatMap { Int64($0) } ?? .max
        var books = with { $0.books }.filter { book in
            (genres.isEmpty || genres.contains(book.genre.rawValue)) && book.price.amount <= maximum
                && (author == nil || book.authors.contains { $0.contains(author ?? "") })
        }
        switch request.queryValue("sort") {
        case "price": books.sort { $0.price.amount < $1.price.amount }
        case "-price": books.sort { $0.price.amount > $1.price.amount }
        default: books.sort { $0.title < $1.title }
        }
        let (items, next) = request.page(of: books)
        let page = StubResponse.json(BookPage(items: items, nextCursor: next))
        return page.header("X-Total-Count", "\(books.count)")
    }

    private func createBook(_ request: StubRequest) throws -> StubResponse {
        let new = try request.decode(NewBook.self)
        var errors: [(String, String)] = []
        if new.isbn.count != 13 { errors.append(("isbn", "has \(new.isbn.count) digits, not 13")) }
        if new.title.isEmpty { errors.append(("title", "is empty")) }
        guard errors.isEmpty else { return .invalid(errors) }
        return with { shelf in
            guard !shelf.books.contains(where: { $0.isbn == new.isbn }) else {
                return .problem(409, "there is a book with the ISBN \(new.isbn)")
            }
            let book = Book(new, id: Shelf.id(shelf.books.count + 1), createdAt: Shelf.today)
            shelf.books.append(book)
            return StubResponse.json(book, status: .created).header(.location, "/v1/books/\(book.id)")
        }
    }

    private func getBook(_ request: StubRequest) -> StubResponse {
        guard let fault = ShopFault(request.bookID) else { return .found(with { $0.book(request.bookID) }) }
        return with { shelf in
            shelf.asked[fault, default: 0] += 1
            let book = Shelf.firstBooks[0]
            return fault.response(time: shelf.asked[fault] ?? 1, book: book) ?? .json(book)
        }
    }

    /// Returns a generated image. That of the first book has 8 MiB and is never completely in memory.
    private func cover(_ request: StubRequest) -> StubResponse {
        guard let book = with({ $0.book(request.bookID) }) else { return .problem(404, "there is no such book") }
        let size: Int64 = book.id == Shelf.id(1) ? 8 << 20 : 40 << 10
        return StubResponse(
            headers: [.contentType: "image/png"], body: .generated(length: size) { PatternChunks(end: size) })
    }

    private func getAuthor(_ request: StubRequest) -> StubResponse {
        let name = request.parameters["authorId"] ?? ""
        let books = with { $0.books }.filter { $0.authors.contains { $0.lowercased().hasSuffix(name) } }
        guard let full = books.first?.authors.first else { return .problem(404, "there is no such author") }
        return .json(Author(id: name, name: full, books: books, born: CalendarDate(year: 1819, month: 8, day: 1)))
    }
}

extension Book {
    /// Creates a stored book from a new one.
    init(_ new: NewBook, id: UUID, createdAt: Date) {
        self.init(
            isbn: new.isbn, title: new.title, authors: new.authors, genre: new.genre, price: new.price, id: id,
            createdAt: createdAt, subtitle: new.subtitle?.value, published: new.published, tags: new.tags)
    }

    /// Applies a patch (RFC 7396): absent members stay unchanged, `null` removes a value.
    mutating func apply(_ patch: BookPatch) {
        if let title = patch.title { self.title = title }
        if let subtitle = patch.subtitle { self.subtitle = subtitle.value }
        if let price = patch.price { self.price = price }
    }
}
#endif

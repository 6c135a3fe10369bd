#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetTesting

/// Scenarios that read and change the catalog.
enum BookScenarios {
    static let all = [listBooks, findBooks, createBook, replaceBook, updateBook] + others

    private static let listBooks = Scenario(
        "listBooks", "Follow the cursor from page to page.", expect: "3 pages of 10, 10 and 4 books"
    ) { lab in
        var sizes: [Int] = []
        var request = ListBooksRequest(limit: 10)
        repeat {
            let page = try await lab.send(request)
            sizes.append(page.items.count)
            request.cursor = page.nextCursor
        } while request.cursor != nil
        return "\(sizes.count) pages of \(sizes.dropLast().map(String.init).joined(separator: ", ")) and "
            + "\(sizes.last ?? 0) books"
    }

    private static let findBooks = Scenario(
        "listBooks filtered", "An array, an object and an enumeration in one query.",
        expect: "Moby-Dick 12.50 EUR, Typee 9.90 EUR"
    ) { lab in
        let filter = BookFilter(author: "Melville", maxPrice: 2000)
        let request = ListBooksRequest(genre: [.seaStories, .poetry], filter: filter, sort: .minusPrice)
        let response = try await lab.response(request)
        return response.value.items.map { "\($0.title) \($0.price.text)" }.joined(separator: ", ")
    }

    private static let createBook = Scenario(
        "createBook", "Send JSON, with a date, a map and an explicit null.",
        expect: "201, Two Years Before the Mast, 1840-09-18"
    ) { lab in
        let book = NewBook(
            isbn: "9780000000200", title: "Two Years Before the Mast", authors: ["R. H. Dana"], genre: .seaStories,
            price: Money(amount: 1500, currency: .eur), subtitle: .null,
            published: CalendarDate(year: 1840, month: 9, day: 18), tags: ["coast": "California"])
        let response = try await lab.response(CreateBookRequest(payload: book))
        return
            "\(response.status.code), \(response.value.title), \(response.value.published?.description ?? "no date")"
    }

    private static let replaceBook = Scenario(
        "replaceBook", "Put a whole book in another's place.", expect: "Kidnapped, or the Lad with the Silver Button"
    ) { lab in
        let new = NewBook(
            isbn: "9780000000104", title: "Kidnapped", authors: ["R. L. Stevenson"], genre: .children,
            price: Money(amount: 875, currency: .gbp), subtitle: "or the Lad with the Silver Button")
        let book = try await lab.send(ReplaceBookRequest(bookID: Shelf.id(5), payload: new))
        return "\(book.title), \(book.subtitle ?? "no subtitle")"
    }

    private static let updateBook = Scenario(
        "updateBook", "A merge patch: null clears a field, an absent one stays.",
        expect: "Kidnapped, no subtitle, 9.00 GBP"
    ) { lab in
        let patch = BookPatch(subtitle: .null, price: Money(amount: 900, currency: .gbp))
        let book = try await lab.send(UpdateBookRequest(bookID: Shelf.id(5), payload: patch))
        return "\(book.title), \(book.subtitle ?? "no subtitle"), \(book.price.text)"
    }

    private static let others = [
        Scenario(
            "listBooksByID", "Three UUIDs in one query item.", expect: "The Sea-Wolf, Lord Jim, Emma"
        ) { lab in
            let ids = [Shelf.id(3), Shelf.id(6), Shelf.id(9), Shelf.id(999)]
            return try await lab.send(ListBooksByIDRequest(ids: ids)).map(\.title).joined(separator: ", ")
        },
        Scenario(
            "getAuthor", "Objects in arrays in objects.", expect: "Herman Melville, born 1819-08-01, 2 books"
        ) { lab in
            let author = try await lab.send(GetAuthorRequest(authorID: "melville"))
            return "\(author.name), born \(author.born?.description ?? "?"), \(author.books.count) books"
        },
        Scenario("downloadCover", "A complete binary response.", expect: "40960 bytes as sent") { lab in
            let data = try await lab.send(DownloadCoverRequest(bookID: Shelf.id(2)))
            return "\(data.count) bytes \(BytePattern.matches(data, at: 0) ? "as sent" : "with errors")"
        },
        Scenario("late answer", "A client that waits gets the book.", expect: "Moby-Dick, not before 1.2 s") { lab in
            try await lab.passingTime { lab in
                // No limit applies, because a test clock would also advance to it; only the response takes time.
                let patient = lab.with { $0.timeouts = Timeouts(firstByte: nil, stall: nil, total: nil) }
                let start = lab.client.configuration.clock.now()
                let book = try await patient.send(GetBookRequest(bookID: ShopFault.late.id))
                let time = lab.client.configuration.clock.now() - start
                return "\(book.title), \(time < .milliseconds(1200) ? "" : "not ")before 1.2 s"
            }
        },
        Scenario("uploadCover", "A binary body.", expect: "204, 100000 bytes arrived") { lab in
            let bytes = BytePattern.bytes(from: 0, count: 100_000)
            let request = UploadCoverRequest(bookID: Shelf.id(2), payload: .bytes(bytes))
            let response = try await lab.response(request)
            return "\(response.status.code), \(lab.shop.with { $0.covers[Shelf.id(2)] } ?? 0) bytes arrived"
        },
    ]
}
#endif

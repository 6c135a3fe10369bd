#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP

/// Proofs about the bodies of responses.
extension Proofs {
    static let json = Scenario(
        "json", "A typed request: a UUID in its path, a header parameter, a book in JSON.",
        expect: "Moby-Dick, sea-stories, 12.50 EUR"
    ) { lab in
        let book = try await lab.send(GetBookRequest(bookID: Shelf.id(1), acceptLanguage: "en"))
        return "\(book.title), \(book.genre), \(book.price.text)"
    }

    static let text = Scenario("text", "Plain text.", expect: "open") { lab in
        try await lab.send(GetHealthRequest())
    }

    static let empty = Scenario(
        "empty", "A response without content; a book is created and deleted.", expect: "201, then 204, then 404"
    ) { lab in
        let book = NewBook(
            isbn: "9780000000299", title: "The Riddle of the Sands", authors: ["Erskine Childers"], genre: .novel,
            price: Money(amount: 1000, currency: .gbp))
        let created = try await lab.response(CreateBookRequest(payload: book))
        let request = DeleteBookRequest(bookID: created.value.id)
        let deleted = try await lab.response(request)
        guard case .rejected(let problem, _)? = await lab.failure(of: request) else {
            return "it could be deleted twice"
        }
        return "\(created.status.code), then \(deleted.status.code), then \(problem.status)"
    }

    static let raw = Scenario(
        "raw", "The bytes as received, regardless of the status.", expect: "418, text/plain, short and stout"
    ) { lab in
        let response = try await lab.raw(GetBookRequest(bookID: ShopFault.teapot.id))
        let type = response.head[.contentType].flatMap { MediaType($0) }?.essence ?? "no type"
        return "\(response.status.code), \(type), \(String(decoding: response.value, as: UTF8.self))"
    }

    static let malformedJSON = Scenario(
        "malformed JSON", "The document ends too early.", expect: "decoding while decoding, attempt 1"
    ) { try await $0.trouble(of: .garbled) }
}
#endif

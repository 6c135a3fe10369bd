import Bookshop
import Foundation
import NetHTTP
import NetTestTraits
import NetTesting
import Testing

/// The shop without a network.
struct ShopTests {
    @Test(.cassette("catalogue")) func theCatalogueIsReadToItsEnd() async throws {
        // Recorded once from the real shop (`python3 shop.py 8080`), and replayed from the file since.
        let shop = try Shop(at: "http://127.0.0.1:8080/v1", transport: CassetteTransport(over: CurlTransport()))
        let titles = try await shop.titles()
        try #require(titles.count == 23)
        #expect(titles[4] == "Monthly 5, issue 5")
        await shop.client.shutdown()
    }

    @Test func theContractWithTheShopIsKept() async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Contracts/books.json")
        let transport = ContractTransport(try Contract(contentsOf: file.path))
        let shop = try Shop(at: "https://books.example.com/v1", transport: transport)
        guard case .book(let book) = try await shop.api.books.getBook(.init(id: 7)) else {
            Issue.record("it is a book")
            return
        }
        #expect(book.title == "Book 7")
        #expect(book.subtitle == nil)
        try transport.verifyComplete()
        await shop.client.shutdown()
    }

    @Test func aBookThatIsGoneIsAnErrorWithTheShopsWords() async throws {
        let transport = MockTransport([
            Stub(.post, "/v1/oauth/token", .json(text: #"{"access_token": "a", "token_type": "Bearer"}"#)),
            Stub(.get, "/v1/books/{id}", .json(text: #"{"title": "sold out"}"#, status: .notFound)),
        ])
        let shop = try Shop(at: "https://books.example.com/v1", transport: transport)
        let error = await #expect(throws: APIError<RefusedResponse>.self) {
            try await shop.api.books.getBook(.init(id: 1))
        }
        #expect(error?.rejection?.failure.title == "sold out")
        await shop.client.shutdown()
    }
}

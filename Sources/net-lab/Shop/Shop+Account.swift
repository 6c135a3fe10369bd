#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetTesting

extension Shop {
    /// Reviews.
    var reviewStubs: [Stub] {
        [
            Stub(.get, "/v1/books/{bookId}/reviews") { [self] request in
                guard let book = with({ $0.book(request.bookID) }) else { return .found(nil as ReviewPage?) }
                let (items, next) = request.page(of: with { $0.reviews[book.id] ?? [] })
                return .json(ReviewPage(items: items, nextCursor: next))
            },
            Stub(.post, "/v1/books/{bookId}/reviews") { [self] request in
                guard let book = with({ $0.book(request.bookID) }) else { return .found(nil as Review?) }
                let form = request.form
                guard let stars = form["stars"].flatMap({ Int($0) }), (1...5).contains(stars) else {
                    return .invalid([("stars", "is not from 1 to 5")])
                }
                return with { shelf in
                    let review = Review(
                        stars: stars, text: form["text"] ?? "", id: Int64(shelf.reviews.count + 1),
                        writtenAt: Shelf.today, recommend: form["recommend"].map { $0 == "true" })
                    shelf.reviews[book.id, default: []].append(review)
                    return .json(review, status: .created)
                }
            },
        ]
    }

    /// Stock, and the caller's account.
    var accountStubs: [Stub] {
        [
            Stub(.get, "/v1/stock") { [self] _ in .json(with { $0.stock }) },
            Stub(.patch, "/v1/stock") { [self] request in
                let changes = try request.decode(StockLevels.self)
                return with { shelf in
                    let levels = shelf.stock.merging(changes) { $0 + $1 }
                    guard levels.values.allSatisfy({ $0 >= 0 }) else { return .problem(409, "not so many copies") }
                    shelf.stock = levels
                    return .json(levels)
                }
            },
            Stub(.post, "/v1/session") { request in
                guard request.form["password"] == "anchor & rope" else {
                    return .problem(401, "wrong name or password")
                }
                return .json(Session(token: "harbour-token", expiresAt: Shelf.today.addingTimeInterval(3600)))
            },
            Stub(.get, "/v1/me") { request in
                guard request.headers[.authorization] == "Bearer harbour-token" else {
                    return .problem(401, "no valid token")
                }
                return .json(
                    Customer(
                        id: Shelf.id(7), name: "Ada", email: "ada@harbour-books.example", phone: nil,
                        addresses: [.harbour], favouriteGenre: .seaStories))
            },
            Stub(.put, "/v1/me/preferences") { .json(try $0.decode(Preferences.self)) },
            Stub(.get, "/v1/health", .text("open")),
        ]
    }
}

extension Address {
    /// The address of all orders.
    static let harbour = Address(name: "Ada", street: "Kehrwieder 1", city: "Hamburg", country: "DE", postcode: "20457")
}
#endif

#if Tools && Server
internal import Foundation
internal import NetTestServer
internal import NetTesting
internal import Synchronization

/// Harbour Books: the bookshop that the scenarios call, on a server or in memory.
///
/// Its responses are values of the generated types, so that both the client and the server have to conform to the
/// document.
final class Shop: Sendable {
    private let shelf = Mutex(Shelf())
    let endless = EndlessAnswer()

    /// The stubs for every operation of the document, for books that misbehave (``ShopFault``), and for charts.
    var stubs: [Stub] { bookStubs + reviewStubs + orderStubs + accountStubs + chartStubs }

    /// Reads or changes the data of the shop.
    func with<Value>(_ body: (inout Shelf) -> Value) -> Value {
        shelf.withLock { body(&$0) }
    }
}

/// The data of the shop.
struct Shelf {
    var books = Shelf.firstBooks
    var reviews: [UUID: [Review]] = [:]
    var orders: [Order] = []
    /// The order created for each idempotency key.
    var ordersByKey: [String: Int64] = [:]
    var stock: [String: Int32] = Dictionary(uniqueKeysWithValues: Shelf.firstBooks.map { ($0.isbn, 5) })
    var covers: [UUID: Int] = [:]
    /// The number of requests for each misbehaving book.
    var asked: [ShopFault: Int] = [:]

    func book(_ id: UUID?) -> Book? { books.first { $0.id == id } }
    func order(_ id: Int64?) -> Order? { orders.first { $0.id == id } }

    /// The current time in the shop.
    static let today = Date(timeIntervalSince1970: 1_767_225_600)
}
#endif

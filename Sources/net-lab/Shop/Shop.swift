#if Tools && Server
internal import Foundation
internal import NetTestServer
internal import NetTesting
internal import Synchronization

/// Harbour Books: the bookshop that the scenarios call, on a server or in memory.
///
/// Its answers are values of the generated types, so client and server hold each other to the document.
final class Shop: Sendable {
    private let shelf = Mutex(Shelf())
    let endless = EndlessAnswer()

    /// Every operation of the document, books that misbehave (``ShopFault``), and charts.
    var stubs: [Stub] { bookStubs + reviewStubs + orderStubs + accountStubs + chartStubs }

    /// Reads or changes what the shop has.
    func with<Value>(_ body: (inout Shelf) -> Value) -> Value {
        shelf.withLock { body(&$0) }
    }
}

/// What the shop has.
struct Shelf {
    var books = Shelf.firstBooks
    var reviews: [UUID: [Review]] = [:]
    var orders: [Order] = []
    /// The order that each idempotency key has placed.
    var ordersByKey: [String: Int64] = [:]
    var stock: [String: Int32] = Dictionary(uniqueKeysWithValues: Shelf.firstBooks.map { ($0.isbn, 5) })
    var covers: [UUID: Int] = [:]
    /// How often each misbehaving book was asked for.
    var asked: [ShopFault: Int] = [:]

    func book(_ id: UUID?) -> Book? { books.first { $0.id == id } }
    func order(_ id: Int64?) -> Order? { orders.first { $0.id == id } }

    /// The moment at which all of this happens.
    static let today = Date(timeIntervalSince1970: 1_767_225_600)
}
#endif

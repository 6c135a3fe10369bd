#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// Books whose requests fail, over the real socket.
enum ShopFault: Int, CaseIterable {
    /// The response begins after half a minute.
    case slow = 901
    /// The body begins, then no more bytes arrive.
    case stalled
    /// The body is not JSON.
    case garbled
    /// JSON, but not that of a book.
    case wrongType
    /// The connection ends in the middle of the body.
    case cutOff
    /// The connection is reset before the head.
    case reset
    /// 503 twice, then the book.
    case flaky
    /// 500 always.
    case broken
    /// 503 always.
    case down
    /// 429 once, with `Retry-After`, then the book.
    case busy
    /// 302 to another place.
    case moved
    /// A status that the document doesn't declare.
    case teapot
    /// The response begins after more than a second.
    case late

    var id: UUID { Shelf.id(rawValue) }

    init?(_ id: UUID?) {
        guard let fault = ShopFault.allCases.first(where: { $0.id == id }) else { return nil }
        self = fault
    }

    /// Returns the response to a request by its number, starting at 1; nil for the book itself.
    func response(time: Int, book: Book) -> StubResponse? {
        switch self {
        case .slow: .json(book).delayed(by: .seconds(30))
        case .stalled: .chunks([StubChunk("{\"isbn\": "), StubChunk("\"", after: .seconds(30))], length: 64)
        case .garbled: .json(text: "{\"isbn\": \"978000")
        case .wrongType: .json(text: "{\"isbn\": 9780000000100}")
        case .cutOff: .json(book).dropping(.afterBodyBytes(20))
        case .reset: .dropped(form: .reset)
        case .flaky: time <= 2 ? .problem(503, "the shop is being painted") : nil
        case .broken: .text("the shop is on fire", status: .internalServerError)
        case .down: .problem(503, "the shop is closed")
        case .busy: time == 1 ? .problem(429, "the shop is full").header(.retryAfter, "1") : nil
        case .moved: StubResponse(status: .found, headers: [.location: "/v1/books/\(Shelf.id(1))"])
        case .teapot: .text("short and stout", status: .init(code: 418))
        case .late: .json(book).delayed(by: .milliseconds(1200))
        }
    }
}
#endif

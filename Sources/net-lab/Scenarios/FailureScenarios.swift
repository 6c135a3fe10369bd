#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetTestServer

/// Scenarios with failure responses, each decoded as the type in the document.
enum FailureScenarios {
    static let all = [
        Scenario("unknown book", "404 as a problem document.", expect: "404: there is no such thing") { lab in
            guard case .rejected(let problem, let head)? = await lab.failure(of: GetBookRequest(bookID: Shelf.id(500)))
            else { return "no typed failure" }
            return "\(head.status.code): \(problem.title)"
        },
        Scenario("duplicate book", "409, one of two declared failures.", expect: "conflict: ISBN 9780000000100") {
            lab in
            let book = NewBook(
                isbn: "9780000000100", title: "Moby-Dick", authors: [], genre: .novel,
                price: Money(amount: 1, currency: .eur))
            guard case .rejected(.conflict(let problem), _)? = await lab.failure(of: CreateBookRequest(payload: book))
            else { return "no conflict" }
            return "conflict: ISBN \(problem.title.split(separator: " ").last ?? "")"
        },
        Scenario("invalid book", "422 names each field.", expect: "isbn has 3 digits, not 13; title is empty") { lab in
            let book = NewBook(
                isbn: "123", title: "", authors: [], genre: .unknown("cookery"), price: Money(amount: 1, currency: .usd)
            )
            guard
                case .rejected(.unprocessableContent(let problem), _)? = await lab.failure(
                    of: CreateBookRequest(payload: book))
            else { return "no validation problem" }
            return problem.errors.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
        },
        Scenario("empty order", "422 of another operation.", expect: "lines is empty") { lab in
            let request = PlaceOrderRequest(payload: NewOrder(lines: [], shipTo: .harbour))
            guard case .rejected(.unprocessableContent(let problem), _)? = await lab.failure(of: request) else {
                return "no validation problem"
            }
            return problem.errors.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
        },
        Scenario(
            "undeclared answer", "A status the document does not name.", expect: "unacceptableStatus 418, 15 bytes kept"
        ) { lab in
            guard let error = await lab.failure(of: GetBookRequest(bookID: ShopFault.teapot.id))?.netError else {
                return "no error"
            }
            return "\(error.code) \(error.status ?? 0), \(error.response?.body.count ?? 0) bytes kept"
        },
        Scenario("redirect", "302 is followed, or handed out.", expect: "Moby-Dick after 302; by hand 302") { lab in
            let request = GetBookRequest(bookID: ShopFault.moved.id)
            let response = try await lab.response(request)
            let statuses = response.history.map { "\($0.status)" }.joined(separator: ", ")
            let manual = await lab.with { $0.redirects = .manual }.failure(of: request)?.netError
            return "\(response.value.title) after \(statuses); by hand \(manual?.status ?? 0)"
        },
    ]
}
#endif

#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetTesting

extension StubResponse {
    /// A problem document (RFC 9457).
    static func problem(_ status: Int, _ title: String) -> StubResponse {
        StubResponse.json(Problem(title: title, status: status), status: .init(code: status))
            .header(.contentType, "application/problem+json")
    }

    /// A problem document that says which fields are wrong.
    static func invalid(_ errors: [(field: String, reason: String)]) -> StubResponse {
        let problem = ValidationProblem(
            title: "the request is not valid", status: 422,
            errors: errors.map { FieldError(field: $0.field, reason: $0.reason) })
        return StubResponse.json(problem, status: .init(code: 422)).header(.contentType, "application/problem+json")
    }

    /// The value, or 404.
    static func found(_ value: (some Encodable & Sendable)?) -> StubResponse {
        value.map { .json($0) } ?? .problem(404, "there is no such thing")
    }
}

extension StubRequest {
    /// The book that the path names.
    var bookID: UUID? { parameters["bookId"].flatMap { UUID(uuidString: $0) } }
    /// The order that the path names.
    var orderID: Int64? { parameters["orderId"].flatMap { Int64($0) } }

    /// All values of a query item.
    func queryValues(_ name: String) -> [String] {
        queryItems.filter { $0.name == name }.compactMap(\.value)
    }

    /// The part of a list that `cursor` and `limit` ask for, and where the next part begins.
    func page<Item>(of items: [Item]) -> (items: [Item], next: String?) {
        let start = min(max(0, queryValue("cursor").flatMap { Int($0.dropFirst(5)) } ?? 0), items.count)
        let end = min(start + max(1, queryValue("limit").flatMap { Int($0) } ?? 20), items.count)
        return (Array(items[start..<end]), end < items.count ? "from-\(end)" : nil)
    }

    /// The items of a form.
    var form: [String: String] {
        let items = StubRequest(method: .post, target: "/?" + String(decoding: body, as: UTF8.self)).queryItems
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
#endif

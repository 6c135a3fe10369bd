#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetTesting

extension StubResponse {
    /// Returns a problem document (RFC 9457).
    static func problem(_ status: Int, _ title: String) -> StubResponse {
        StubResponse.json(Problem(title: title, status: status), status: .init(code: status))
            .header(.contentType, "application/problem+json")
    }

    /// Returns a problem document that lists the invalid fields.
    static func invalid(_ errors: [(field: String, reason: String)]) -> StubResponse {
        let problem = ValidationProblem(
            title: "the request is not valid", status: 422,
            errors: errors.map { FieldError(field: $0.field, reason: $0.reason) })
        return StubResponse.json(problem, status: .init(code: 422)).header(.contentType, "application/problem+json")
    }

    /// Returns a response with the value, or 404 if it is nil.
    static func found(_ value: (some Encodable & Sendable)?) -> StubResponse {
        value.map { .json($0) } ?? .problem(404, "there is no such thing")
    }
}

extension StubRequest {
    /// The ID of the book in the path.
    var bookID: UUID? { parameters["bookId"].flatMap { UUID(uuidString: $0) } }
    /// The ID of the order in the path.
    var orderID: Int64? { parameters["orderId"].flatMap { Int64($0) } }

    /// Returns all values of a query item.
    func queryValues(_ name: String) -> [String] {
        queryItems.filter { $0.name == name }.compactMap(\.value)
    }

    /// Returns the part of a list that `cursor` and `limit` request, and the cursor of the next part.
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

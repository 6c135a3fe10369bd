import Foundation
import HTTPTypes
import NetCore

@testable import NetStore

/// Many calls with headers and JSON bodies, like those of an app.
struct ManyCalls {
    let path: String
    let count: Int
    let bodies: [String]

    private static let operations = [
        ("getUser", "users"), ("listItems", "items"), ("getPrice", "prices"), ("search", "search"),
        ("getOrder", "orders"), ("getStock", "stock"), ("listReviews", "reviews"), ("getCart", "carts"),
    ]

    func write() async throws {
        let maker = try StoreMaker(path: path, seed: 5)
        var numbers = SeededNumbers(6)
        for number in 0..<count {
            maker.add(call(number, &numbers))
            if number.isMultiple(of: 500) { try await maker.store.flush() }
        }
        try await maker.close()
    }

    private func call(_ number: Int, _ numbers: inout SeededNumbers) -> StoreMaker.Call {
        let (operation, path) = numbers.one(of: Self.operations)
        let host = numbers.one(of: ["api.example.com", "api.example.com", "cdn.example.org", "search.example.net:8443"])
        let token = String(numbers.next(), radix: 36)
        var call = StoreMaker.Call(
            at: Double(number) * 0.4, url: "https://\(host)/\(path)/\(token)?page=\(number % 20)", operation: operation)
        let isNew = numbers.once(in: 10)
        let waiting = 8 * exp(Double.random(in: 0...4, using: &numbers))
        call.attempts[0].phases = isNew ? [0.3, 2, 9, 18, waiting, 4] : [0.1, 0, 0, 0, waiting, 3]
        call.attempts[0].isReused = !isNew
        call.attempts[0].status = numbers.once(in: 25) ? numbers.one(of: [404, 429, 500, 503]) : 200
        let trace = numbers.next()
        call.requestHeaders = """
            accept: application/json
            user-agent: shop/1.2
            authorization: <redacted>
            traceparent: 00-\(String(numbers.next(), radix: 16))\(String(numbers.next(), radix: 16))-\(String(trace, radix: 16))-01
            """
        call.responseHeaders = """
            content-type: application/json; charset=utf-8
            server: envoy
            cache-control: private, max-age=\(number % 60)
            date: Wed, 18 Nov 2026 11:06:40 GMT
            x-request-id: \(String(numbers.next(), radix: 16))\(String(numbers.next(), radix: 16))
            """
        call.responseBody = Bytes(bodies[number % bodies.count].utf8)
        return call
    }
}

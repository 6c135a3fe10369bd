import Foundation
import HTTPTypes
import NetHTTP
import NetTestTraits
import NetTesting
import Testing

/// Calls that were kept by an activity store, made again: their recordings answer, without a network.
///
/// Put requests of your own in place of the ones here, and expect what matters.
@Suite struct ShopCallsTests {
    /// 2026-01-01 00:00:00.000 UTC, 200, 0.0 ms: GET https://shop.example.com/v1/books?genre=sea…
    @Test(.cassette("ShopCallsTests/listBooksIsAnsweredWith200"), .offline)
    func listBooksIsAnsweredWith200() async throws {
        let client = HTTPClient(baseURL: "https://shop.example.com", transport: CassetteTransport())
        let request = Request<Data>(
            "v1/books",
            query: [QueryItem("genre", "sea,poetry", isEncoded: true), QueryItem("q", "a b")])
        let response = try await client.raw(request)
        #expect(response.head.status.code == 200)
        let json = try JSONCoding.standard.decode(JSONValue.self, from: response.value)
        #expect(json.arrayValue?.count == 2)
        #expect(json[0]?["id"] == 1)
        #expect(json[0]?["title"] == "Moby-Dick")
    }

    /// 2026-01-01 00:00:01.000 UTC, 200, 30.00 s: GET https://shop.example.com/v1/books/7?api_ke…
    @Test(.cassette("ShopCallsTests/getBookIsAnsweredWith200"), .offline)
    func getBookIsAnsweredWith200() async throws {
        let clock = TestClock()
        let client = HTTPClient(baseURL: "https://shop.example.com", transport: CassetteTransport()) {
            $0.clock = clock.netClock
            let policy = RetryPolicy(maximumAttempts: 3, eligibility: .always)
            $0.middleware = [RetryMiddleware(policy)]
        }
        let request = Request<Data>("v1/books/7", query: [QueryItem("api_key", "<redacted>", isEncoded: true)])
        let response = try await clock.run { try await client.raw(request) }
        #expect(response.head.status.code == 200)
        let json = try JSONCoding.standard.decode(JSONValue.self, from: response.value)
        #expect(json["id"] == 7)
        #expect(json["title"] == #"Emma "2""#)
    }

    /// 2026-01-01 00:00:32.000 UTC, 201, 0.0 ms: POST https://shop.example.com/v1/orders
    @Test(.cassette("ShopCallsTests/placeOrderIsAnsweredWith201"), .offline)
    func placeOrderIsAnsweredWith201() async throws {
        let client = HTTPClient(baseURL: "https://shop.example.com", transport: CassetteTransport())
        let request = Request<Data>(
            "v1/orders",
            method: .post,
            body: .bytes(Data("{\"password\":\"<redacted>\",\"sku\":\"a\\\"b\\\\c\\n\u{202e}\"}".utf8), contentType: "application/json"))
        let response = try await client.raw(request)
        #expect(response.head.status.code == 201)
        let json = try JSONCoding.standard.decode(JSONValue.self, from: response.value)
        #expect(json["id"] == 1001)
        #expect(json["isPaid"] == false)
    }

    /// 2026-01-01 00:00:33.000 UTC, 200, 0.0 ms: POST https://shop.example.com/v1/search
    @Test(.cassette("ShopCallsTests/postV1SearchIsAnsweredWith200"), .offline)
    func postV1SearchIsAnsweredWith200() async throws {
        let client = HTTPClient(baseURL: "https://shop.example.com", transport: CassetteTransport())
        let request = Request<Data>(
            "v1/search",
            method: .post,
            body: .bytes(Data("q=whale&token=%3Credacted%3E".utf8), contentType: "application/x-www-form-urlencoded"))
        let response = try await client.raw(request)
        #expect(response.head.status.code == 200)
        #expect(String(decoding: response.value, as: UTF8.self) == "two books")
    }

    /// 2026-01-01 00:00:34.000 UTC, 200, 0.0 ms: GET https://shop.example.com/v1/old
    @Test(.cassette("ShopCallsTests/movedIsAnsweredWith200"), .offline)
    func movedIsAnsweredWith200() async throws {
        let client = HTTPClient(baseURL: "https://shop.example.com", transport: CassetteTransport())
        let request = Request<Data>("v1/old")
        let response = try await client.raw(request)
        #expect(response.head.status.code == 200)
        let json = try JSONCoding.standard.decode(JSONValue.self, from: response.value)
        #expect(json["id"] == 7)
        #expect(json["title"] == #"Emma "2""#)
    }

    /// 2026-01-01 00:00:36.000 UTC, 204, 0.0 ms: DELETE https://shop.example.com/v1/books/8
    @Test(.cassette("ShopCallsTests/deleteV1Books8IsAnsweredWith204"), .offline)
    func deleteV1Books8IsAnsweredWith204() async throws {
        let client = HTTPClient(baseURL: "https://shop.example.com", transport: CassetteTransport())
        let request = Request<Data>("v1/books/8", method: .delete)
        let response = try await client.raw(request)
        #expect(response.head.status.code == 204)
        #expect(response.value.isEmpty)
    }

    /// 2026-01-01 00:00:37.000 UTC, connectionLost, 291.5 ms: GET https://shop.example.com/v1/br…
    @Test(.cassette("ShopCallsTests/getV1BrokenFails"), .offline)
    func getV1BrokenFails() async throws {
        let clock = TestClock()
        let client = HTTPClient(baseURL: "https://shop.example.com", transport: CassetteTransport()) {
            $0.clock = clock.netClock
            let policy = RetryPolicy(maximumAttempts: 3, eligibility: .always)
            $0.middleware = [RetryMiddleware(policy)]
        }
        let request = Request<Data>("v1/broken")
        let error = await #expect(throws: NetError.self) { try await clock.run { try await client.raw(request) } }
        #expect(error?.code.rawValue == "connectionLost")
    }
}

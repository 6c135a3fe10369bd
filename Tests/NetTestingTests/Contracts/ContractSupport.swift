import HTTPTypes
import NetCore
import NetTesting

/// One call of a transport under a contract.
struct ContractCall: Sendable {
    var method = HTTPRequest.Method.post
    var path = "/orders/7"
    var query = "page=2&tag=a&tag=b"
    var headers: HTTPFields = [.contentType: "application/json", .clientName: "shop"]
    var body: String? = #"{"customer":{"id":7,"name":"Ada"},"lines":[{"sku":"A-1"},{"sku":"A-2"}]}"#
    var metadata = RequestMetadata(name: "order", operationID: "createOrder", tags: ["orders", "write"])
    var timeouts = Timeouts(firstByte: nil, stall: nil)
    var authority = "api.test"
    var redaction: RedactionPolicy?

    /// The expectation for that call in a contract.
    static var expectation: Contract.Expectation {
        var expectation = Contract.Expectation("order", .post, "/orders/{id}", .json(["id": 1, "state": "open"]))
        expectation.query = ["page": "2", "tag": .exactly(["b", "a"])]
        expectation.headers = [.clientName: .glob("sh?p*")]
        expectation.body = .all([
            .json(["customer": ["id": 7, "name": "Ada"], "lines": [["sku": "A-1"], ["sku": "<redacted>"]]]),
            .paths(["$.lines[*].sku": .contains("A-")]),
        ])
        expectation.metadata = RequestMetadata(name: "order", tags: ["write"])
        return expectation
    }

    var request: PreparedRequest {
        let target = query.isEmpty ? path : "\(path)?\(query)"
        let head = HTTPRequest(
            method: method, scheme: "https", authority: authority, path: target, headerFields: headers)
        var options = RequestOptions()
        options.metadata = metadata
        options.redaction = redaction
        return PreparedRequest(head: head, body: body.map { .bytes(Bytes($0.utf8)) } ?? .none, options: options)
    }

    func text(_ transport: any HTTPTransport, clock: TestClock = TestClock()) async throws(NetError) -> String {
        let request = request
        let context = CallContext(
            for: request, timeouts: timeouts, environment: CallContext.Environment(clock: clock.netClock))
        let response = try await transport.execute(request, context: context)
        return String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    }

    func failure(_ transport: any HTTPTransport, clock: TestClock = TestClock()) async -> NetError? {
        do throws(NetError) {
            _ = try await text(transport, clock: clock)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the fields in which the call differs from the contract; empty for a match.
    func drift(_ contract: Contract) async -> [String] {
        let transport = ContractTransport(contract)
        let error = await failure(transport)
        let violation = error?.underlying as? ContractViolation
        return violation?.differences.map(\.field) ?? (error == nil ? [] : ["\(error?.description ?? "")"])
    }
}

extension HTTPField.Name {
    static var clientName: Self { .init("X-Client") ?? .accept }
    static var other: Self { .init("X-Other") ?? .accept }
}

#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetTestServer
internal import NetTesting

/// Scenarios for requests that are retried, and for those that aren't.
enum RetryScenarios {
    static let all = [
        Scenario("503 twice", "A safe request is sent again.", expect: "Moby-Dick after 3 requests") { lab in
            let before = lab.peer.arrived
            let book = try await lab.send(GetBookRequest(bookID: ShopFault.flaky.id))
            return "\(book.title) after \(lab.peer.arrived - before) requests"
        },
        Scenario(
            "503 for ever", "The last response is the result of the call.",
            expect: "unacceptableStatus while validating, attempt 3"
        ) {
            lab in
            let before = lab.peer.arrived
            _ = await lab.trouble(with: GetBookRequest(bookID: ShopFault.down.id))
            return "unacceptableStatus while validating, attempt \(lab.peer.arrived - before)"
        },
        Scenario(
            "cut off thrice", "A body that is cut off is requested again.",
            expect: "connectionLost while receiving, attempt 3"
        ) {
            lab in
            await lab.trouble(with: GetBookRequest(bookID: ShopFault.cutOff.id))
        },
        Scenario("POST once", "An unsafe request is sent once.", expect: "503 after 1 request") { lab in
            lab.peer.add(closed)
            let before = lab.peer.arrived
            let order = NewOrder(lines: [OrderLine(bookID: Shelf.id(10), quantity: 1)], shipTo: .harbour)
            let error = await lab.failure(of: PlaceOrderRequest(payload: order))?.netError
            return "\(error?.status ?? 0) after \(lab.peer.arrived - before) request"
        },
        Scenario("POST with a key", "An idempotency key makes it safe.", expect: "placed after 2 requests") { lab in
            lab.peer.add(closed)
            let before = lab.peer.arrived
            let order = NewOrder(lines: [OrderLine(bookID: Shelf.id(10), quantity: 1)], shipTo: .harbour)
            let placed = try await lab.send(PlaceOrderRequest(payload: order, idempotencyKey: "tour-retry"))
            return "\(placed.status) after \(lab.peer.arrived - before) requests"
        },
    ]

    /// Rejects one order.
    private static let closed = Stub(.post, "/v1/orders", .problem(503, "the till is broken")).times(1).priority(9)
}
#endif

#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetTesting

extension Shop {
    /// Orders, their payments and their tracking.
    var orderStubs: [Stub] {
        [
            Stub(.get, "/v1/orders") { [self] request in
                let statuses = (request.queryValue("status") ?? "").split(separator: ",").map(String.init)
                let since = request.queryValue("since").flatMap { RFC3339.date(from: $0) } ?? .distantPast
                let orders = with { $0.orders }.reversed().filter { order in
                    (statuses.isEmpty || statuses.contains(order.status.rawValue)) && order.placedAt >= since
                }
                let (items, next) = request.page(of: orders)
                return .json(OrderPage(items: items, nextCursor: next))
            },
            Stub(.post, "/v1/orders") { [self] in try placeOrder($0) },
            Stub(.get, "/v1/orders/export") { [self] _ in
                let lines = with { $0.orders }.map { "\($0.id),\($0.status),\($0.total.amount)" }
                let text = (["id,status,total"] + lines).joined(separator: "\n") + "\n"
                return StubResponse.text(text).header(.contentType, "text/csv")
            }.priority(1),
            Stub(.get, "/v1/orders/{orderId}") { [self] request in .found(with { $0.order(request.orderID) }) },
            Stub(.post, "/v1/orders/{orderId}/cancel") { [self] request in
                guard let order = with({ $0.order(request.orderID) }) else { return .found(nil as Order?) }
                guard order.status == .placed else { return .problem(409, "the order is \(order.status)") }
                return .found(change(order.id) { $0.status = .cancelled })
            },
            Stub(.put, "/v1/orders/{orderId}/payment") { [self] request in
                let payment = try request.decode(Payment.self)
                let order = change(request.orderID) {
                    $0.status = .paid
                    $0.payment = payment
                }
                return .found(
                    order.map { Receipt(orderID: $0.id, amount: $0.total, paidAt: Shelf.today, payment: payment) })
            },
            Stub(.get, "/v1/orders/{orderId}/events") { [self] in watch($0) },
        ]
    }

    private func change(_ id: Int64?, _ change: (inout Order) -> Void) -> Order? {
        with { shelf in
            guard let index = shelf.orders.firstIndex(where: { $0.id == id }) else { return nil }
            change(&shelf.orders[index])
            return shelf.orders[index]
        }
    }

    private func placeOrder(_ request: StubRequest) throws -> StubResponse {
        let new = try request.decode(NewOrder.self)
        let wrong = new.lines.enumerated().filter { $0.element.quantity < 1 }
        if new.lines.isEmpty { return .invalid([("lines", "is empty")]) }
        guard wrong.isEmpty else { return .invalid(wrong.map { ("lines[\($0.offset)].quantity", "is below 1") }) }
        let key = request.headers["Idempotency-Key"]
        return with { shelf in
            if let key, let earlier = shelf.order(shelf.ordersByKey[key]) { return .json(earlier, status: .created) }
            var total: Int64 = 0
            for line in new.lines {
                guard let book = shelf.book(line.bookID), shelf.stock[book.isbn, default: 0] >= line.quantity else {
                    return .problem(409, "not enough copies on the shelf")
                }
                total += book.price.amount * Int64(line.quantity)
            }
            let order = Order(
                id: Int64(1001 + shelf.orders.count), status: .placed, lines: new.lines,
                total: Money(amount: total, currency: .eur),
                placedAt: Shelf.today.addingTimeInterval(Double(shelf.orders.count) * 3600), shipTo: new.shipTo,
                payment: new.payment)
            shelf.orders.append(order)
            if let key { shelf.ordersByKey[key] = order.id }
            return .json(order, status: .created)
        }
    }

    /// Returns the events of an order: packed, sent, delivered, a few milliseconds apart.
    private func watch(_ request: StubRequest) -> StubResponse {
        guard with({ $0.order(request.orderID) }) != nil else { return .problem(404, "there is no such order") }
        let way: [(OrderStatus, String?)] = [(.packed, nil), (.sent, "Rotterdam"), (.delivered, "Hamburg")]
        let chunks = way.enumerated().map { index, step in
            let time = RFC3339.format(Shelf.today.addingTimeInterval(Double(index) * 86_400))
            let place = step.1.map { ", \"place\": \"\($0)\"" } ?? ""
            return StubChunk(
                ": ping\nid: \(index + 1)\ndata: {\"status\": \"\(step.0)\",\ndata: \"at\": \"\(time)\"\(place)}\n\n",
                after: .milliseconds(5))
        }
        return .chunks(chunks, contentType: "text/event-stream")
    }
}
#endif

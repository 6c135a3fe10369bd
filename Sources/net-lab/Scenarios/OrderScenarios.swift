#if Tools && Server
internal import Foundation
internal import NetCore
internal import NetHTTP
internal import NetStore

/// Scenarios that buy books.
enum OrderScenarios {
    static let all = [placeOrder, payOrder, listOrders, getOrder, watchOrder, exportOrders, cancelOrder]

    private static func order(_ book: Int, quantity: Int32) -> NewOrder {
        NewOrder(lines: [OrderLine(bookID: Shelf.id(book), quantity: quantity)], shipTo: .harbour)
    }

    private static let placeOrder = Scenario(
        "placeOrder", "The same idempotency key places one order.",
        expect: "1001 and 1001, 25.00 EUR, then 1002 and 1003"
    ) { lab in
        let request = PlaceOrderRequest(payload: order(1, quantity: 2), idempotencyKey: "tour-1")
        let first = try await lab.send(request)
        let again = try await lab.send(request)
        let second = try await lab.send(PlaceOrderRequest(payload: order(4, quantity: 1), idempotencyKey: "tour-2"))
        let third = try await lab.send(PlaceOrderRequest(payload: order(8, quantity: 1), idempotencyKey: "tour-3"))
        return "\(first.id) and \(again.id), \(first.total.text), then \(second.id) and \(third.id)"
    }

    private static let payOrder = Scenario(
        "payOrder", "A union with a discriminator is sent and returned.",
        expect: "card 4242, invoice 2026-02-01, 2 vouchers"
    ) { lab in
        guard let day = CalendarDate("2026-02-01") else { return "the calendar is broken" }
        let payments: [Payment] = [
            .cardPayment(CardPayment(kind: .card, token: "tok_1", lastFour: "4242")),
            .invoicePayment(InvoicePayment(kind: .invoice, dueOn: day)),
            .voucherPayment(VoucherPayment(kind: .voucher, codes: ["HARBOUR", "ANCHOR"])),
        ]
        var texts: [String] = []
        for (index, payment) in payments.enumerated() {
            let receipt = try await lab.send(PayOrderRequest(orderID: 1001 + Int64(index), payload: payment))
            switch receipt.payment {
            case .cardPayment(let card): texts.append("card \(card.lastFour ?? "?")")
            case .invoicePayment(let invoice): texts.append("invoice \(invoice.dueOn)")
            case .voucherPayment(let voucher): texts.append("\(voucher.codes.count) vouchers")
            case .unknown(let json): texts.append("unknown \(json)")
            }
        }
        return texts.joined(separator: ", ")
    }

    private static let listOrders = Scenario(
        "listOrders", "A comma separated list and a date-time in the query.", expect: "1003, 1002"
    ) { lab in
        let since = Shelf.today.addingTimeInterval(3600)
        let page = try await lab.send(ListOrdersRequest(status: [.paid, .sent], since: since))
        return page.items.map { "\($0.id)" }.joined(separator: ", ")
    }

    private static let getOrder = Scenario("getOrder", "An integer in the path.", expect: "1001 is paid, to Hamburg") {
        lab in
        let order = try await lab.send(GetOrderRequest(orderID: 1001))
        return "\(order.id) is \(order.status), to \(order.shipTo.city)"
    }

    private static let watchOrder = Scenario(
        "watchOrder", "Server-sent events, decoded while they arrive.",
        expect: "packed, sent Rotterdam, delivered Hamburg; id 3"
    ) { lab in
        let request = WatchOrderRequest(orderID: 1001)
        let events = try await lab.client.send(request)
        var steps: [String] = []
        for try await event in events {
            steps.append([event.status.rawValue, event.place].compactMap { $0 }.joined(separator: " "))
        }
        lab.count(.completed, of: request)
        return "\(steps.joined(separator: ", ")); id \(events.lastEventID)"
    }

    private static let exportOrders = Scenario("exportOrders", "Plain text.", expect: "4 lines, id,status,total") {
        lab in
        let lines = try await lab.send(ExportOrdersRequest()).split(separator: "\n")
        return "\(lines.count) lines, \(lines.first ?? "")"
    }

    private static let cancelOrder = Scenario(
        "cancelOrder", "Done once; then the state of things forbids it.",
        expect: "cancelled, then 409: the order is cancelled"
    ) { lab in
        let order = try await lab.send(PlaceOrderRequest(payload: order(2, quantity: 1)))
        let cancelled = try await lab.send(CancelOrderRequest(orderID: order.id))
        guard case .rejected(let problem, _)? = await lab.failure(of: CancelOrderRequest(orderID: order.id)) else {
            return "it could be cancelled twice"
        }
        return "\(cancelled.status), then \(problem.status): \(problem.title)"
    }
}
#endif

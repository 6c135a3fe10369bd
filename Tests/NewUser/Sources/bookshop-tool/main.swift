import Bookshop
import Foundation
import NetHTTP

/// Counts the successful checks.
struct Checks {
    private(set) var (passed, count) = (0, 0)

    mutating func check(_ name: String, _ isTrue: Bool, _ found: Any = "") {
        count += 1
        if isTrue { passed += 1 } else { print("failed: \(name) \(found)") }
    }
}

guard CommandLine.arguments.count == 2 else {
    print("usage: bookshop-tool URL")
    exit(64)
}
let shop = try Shop(at: CommandLine.arguments[1])
var checks = Checks()

let health = try await shop.api.health.getHealth()
checks.check("a busy shop is asked again", health.attempts == 3, health.attempts)
checks.check("what needs no credential gets none", !health.authorized)

let titles = try await shop.titles()
checks.check("all pages are read", titles.count == 23, titles)
checks.check("a null is nil", titles[0] == "Book 1" && titles[1] == "Book 2: Volume 2", titles)
checks.check("each kind of a union is read", titles[4] == "Monthly 5, issue 5", titles)

let first = try await shop.api.books.getBook.response(.init(id: 7))
let again = try await shop.api.books.getBook.response(.init(id: 7))
checks.check("an answer is kept", first.head["X-Seen"] == again.head["X-Seen"], again.head.headers)

do {
    _ = try await shop.api.books.getBook(.init(id: 99))
    checks.check("a missing book is an error", false)
} catch {
    checks.check("a refusal has the shop's own words", error.rejection?.failure.title == "no such book", error)
    checks.check("a refusal has its status", error.rejection?.response.status == .notFound, error)
}

let image = FormFile(Data(repeating: 0x89, count: 100_000), filename: "cover.png")
let cover = try await shop.api.books.putCover(.init(id: 7, caption: "Ünïcode, \"quoted\"", image: image))
checks.check("a file arrives", cover.bytes == 100_000 && cover.type == "image/png", cover)
checks.check("a caption arrives", cover.caption == "Ünïcode, \"quoted\"", cover.caption)

var copies = 0
for try await order in try await shop.api.orders.watchOrders() { copies += order.copies }
checks.check("events come as values", copies == 12, copies)

await shop.client.shutdown()
print("passed \(checks.passed) of \(checks.count)")
exit(checks.passed == checks.count ? 0 : 1)

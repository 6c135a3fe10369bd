import Foundation
import FuzzSupport
import NetCore
import NetStore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are an expression of the activity store's filter. A parsed one must be written as an expression that
/// parses to the same, and its negation must match exactly the other entries; an error must name a column of the text.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let filter: ActivityFilter
    do throws(ActivityFilterError) { filter = try ActivityFilter(text) } catch {
        guard (1...text.count + 1).contains(error.column), !error.description.isEmpty else {
            fatalError("\(text): column \(error.column)")
        }
        return 0
    }
    guard (try? ActivityFilter(filter.description)) == filter else {
        fatalError("\(text) is written as \(filter)")
    }
    let now = Date(timeIntervalSince1970: 1_795_000_000)
    var item = StoredItem(id: 1, uid: CallID(high: 1, low: 2), kind: .call, startedAt: now)
    item.url = text
    item.operation = "getUser"
    item.host = "api.example.com:8443"
    item.tags = [text]
    let content = FilterContent(headers: { _ in text }, bodies: { _ in [Bytes(text.utf8)] })
    guard filter.matches(item, content: content, now: now) != (!filter).matches(item, content: content, now: now) else {
        fatalError("\(filter) and its opposite both match, or neither")
    }
    return 0
}

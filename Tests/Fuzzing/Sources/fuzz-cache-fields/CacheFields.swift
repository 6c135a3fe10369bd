import Foundation
import FuzzSupport
import HTTPTypes

@testable import NetCore
@testable import NetHTTP

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The first byte chooses a header for caching, the rest is its value.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let text = String(decoding: UnsafeBufferPointer(start: start + 1, count: count - 1), as: UTF8.self)
    switch start[0] % 5 {
    case 0: cacheControl(text)
    case 1: vary(text)
    case 2: age(text)
    case 3: range(text)
    default: tags(text)
    }
    return 0
}

func cacheControl(_ text: String) {
    let control = CacheControl(text)
    let numbers = [
        control.maxAge, control.sharedMaxAge, control.maxStale, control.minFresh, control.staleIfError,
        control.staleWhileRevalidate,
    ]
    for case let number? in numbers where !(0...CacheControl.maximumSeconds).contains(number) {
        fatalError("\(number) seconds")
    }
    // An added directive is found, regardless of the text before it.
    guard CacheControl(text + ",no-store").noStore || text.utf8.contains(UInt8(ascii: "\"")) else {
        fatalError("no-store is hidden by \(text)")
    }
    guard CacheControl("no-store," + text).noStore else { fatalError("no-store is hidden") }
}

func vary(_ text: String) {
    let names = VarySelection.names([.vary: text])
    if names.contains("*"), names != ["*"] { fatalError("\(names)") }
    var request: HTTPFields = [.acceptLanguage: text, .accept: text, .cookie: text]
    for name in names { if let field = HTTPField.Name(name) { request[field] = text } }
    let all = names + ["accept", "accept-language", "cookie"]
    guard let selection = VarySelection(vary: all, request: request) else { return }
    guard selection.matches(request, language: nil) else { fatalError("a request is not its own") }
    let once = VarySelection.withoutBlanks(text)
    guard VarySelection.withoutBlanks(once) == once else { fatalError("\(text) became \(once)") }
}

func age(_ text: String) {
    let headers: HTTPFields = [.age: text, .date: text, .expires: text, .lastModified: text]
    let facts = CacheEntry.Facts(headers)
    guard (0...CacheControl.maximumSeconds).contains(facts.age) else { fatalError("\(facts.age) seconds") }
    guard let key = CacheKey(url: "http://h/") else { fatalError("no key") }
    let entry = CacheEntry(
        id: .init(rawValue: 1), key: key, status: .ok, headers: headers,
        arrival: Arrival(date: Date(timeIntervalSince1970: 1e9), reading: nil, delay: .zero), tags: [],
        selection: VarySelection(headers: []), coding: .none, part: nil)
    let now = CacheMoment(date: Date(timeIntervalSince1970: 1e9 + 5), reading: .zero)
    let freshness = Freshness(of: entry, now: now, isShared: true)
    guard freshness.age >= 5, freshness.lifetime >= 0 else { fatalError("\(freshness)") }
}

func range(_ text: String) {
    if let range = RequestedRange(text) {
        for total in [Int64(0), 1, 1000, 1 << 61] {
            guard let bytes = range.resolved(total: total) else { continue }
            guard !bytes.isEmpty, bytes.lowerBound >= 0, bytes.upperBound <= total else { fatalError("\(bytes)") }
        }
    }
    if let place = ContentRange(text) {
        guard ContentRange(place.value) == place else { fatalError("\(place) is written as \(place.value)") }
    }
}

func tags(_ text: String) {
    for tag in EntityTags.list(text) where !EntityTags.isSame(tag, tag) { fatalError("\(tag)") }
    guard let key = CacheKey(url: "http://h/" + text) else { fatalError("no key") }
    guard CacheKey(url: key.url)?.url == key.url else { fatalError("\(text) became \(key.url)") }
    _ = key.sibling(text)
    _ = CacheDate.date(from: text)
}

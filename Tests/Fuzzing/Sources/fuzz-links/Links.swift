import Foundation
import FuzzSupport
import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are the lines of the header `Link`. Links that can be encoded must decode again to the same, and every
/// target must resolve.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let header = LinkHeader(lines: text.split(separator: "\n").map(String.init))
    guard header.links.count <= LinkHeader.maximumLinks else { fatalError("\(header.links.count)") }
    for link in header.links {
        let url = link.url(from: "https://h/a/b?c")
        guard url.utf8.contains(UInt8(ascii: ":")) else { fatalError("\(link.target) became \(url)") }
        _ = link.title
        guard let written = try? LinkHeader([link]).serialized(), written.utf8.count <= LinkHeader.maximumBytes else {
            continue
        }
        guard LinkHeader(written).links == [link] else { fatalError("\(link) is written as \(written)") }
    }
    return 0
}

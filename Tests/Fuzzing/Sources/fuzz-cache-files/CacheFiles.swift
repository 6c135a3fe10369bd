import Foundation
import FuzzSupport
import NetCore

@testable import NetCrypto
@testable import NetHTTP

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are a file of heads: once as they are, which their seal rejects, once with a correct seal. Decoded heads
/// must encode to the same bytes.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = CacheEntryCoding.decode(Bytes(bytes))
    let content = CacheEntryCoding.mark + bytes
    guard let seal = RunningHash.digest(of: Bytes(content), .sha256) else { fatalError("no hash") }
    guard let (key, entries) = CacheEntryCoding.decode(Bytes(content + seal)) else { return 0 }
    let written = CacheEntryCoding.encode(entries, key: key)
    guard let again = CacheEntryCoding.decode(written), again.key == key, again.entries.count == entries.count,
        CacheEntryCoding.encode(again.entries, key: again.key) == written
    else { fatalError("\(entries.count) heads do not read back") }
    return 0
}

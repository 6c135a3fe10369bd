import Foundation
import FuzzSupport

@testable import NetCore
@testable import NetRecord

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are a HAR file. A decoded one is encoded, decoded and encoded again, the same both times; an error gives a
/// position and a reason.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let cassette = reading(bytes) else { return 0 }
    // Redaction and comparison accept all contents of a file.
    let requests = cassette.exchanges.map { RedactionPolicy.safeDefault.redact($0).request }
    for request in requests { _ = request.multipartDifferences(live: requests[0]) }
    let first = RecordJSON.write(HARWriter().document(cassette))
    guard let again = reading(Array(first.utf8)) else { fatalError("what was written cannot be read: \(first)") }
    let second = RecordJSON.write(HARWriter().document(again))
    guard first == second else { fatalError("written: \(first)\nread and written again: \(second)") }
    return 0
}

/// Returns the decoded cassette; nil if the parser reports an error.
func reading(_ bytes: [UInt8]) -> Cassette? {
    do throws(RecordFileError) {
        return try Cassette.read(bytes, from: "/nowhere/fuzz.har")
    } catch {
        guard error.position != nil, !error.problem.isEmpty, !error.advice.isEmpty else {
            fatalError("an error that does not help: \(error)")
        }
        return nil
    }
}

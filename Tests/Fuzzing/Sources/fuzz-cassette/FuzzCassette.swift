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

/// The bytes are a cassette. A decoded one is redacted, encoded and decoded again; an error gives a position and a
/// reason.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let cassette = reading(bytes, "/nowhere/fuzz.json") else { return 0 }
    for exchange in cassette.exchanges {
        let once = RedactionPolicy.safeDefault.redact(exchange)
        guard RedactionPolicy.safeDefault.redact(once) == once else { fatalError("redacted twice: \(once)") }
    }
    var writer = CassetteWriter(bodies: BodyFiles(cassette: "/nowhere/fuzz.json"))
    let written = RecordJSON.write(writer.document(cassette))
    // Large binary bodies are in separate files, which aren't written here.
    guard !written.contains("\"file\"") else { return 0 }
    guard let again = reading(Array(written.utf8), "/nowhere/fuzz.json"),
        again.exchanges.count == cassette.exchanges.count
    else { fatalError("what was written cannot be read: \(written)") }
    let second = RecordJSON.write(writer.document(again))
    guard second == written else { fatalError("written: \(written)\nread and written again: \(second)") }
    return 0
}

/// Returns the decoded cassette; nil if the parser reports an error.
func reading(_ bytes: [UInt8], _ name: String) -> Cassette? {
    do throws(RecordFileError) {
        return try Cassette.read(bytes, from: name)
    } catch {
        guard error.position != nil, !error.problem.isEmpty, !error.advice.isEmpty else {
            fatalError("an error that does not help: \(error)")
        }
        return nil
    }
}

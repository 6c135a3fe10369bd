import Foundation
import FuzzSupport
import NetOpenAPI

/// The maximum time for one document.
let longest = Duration.seconds(2)

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are a document: read, resolved, planned and rendered. The result is code, or an error with a position; the
/// same code each time.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let clock = ContinuousClock()
    var result: GeneratorResult?
    let time = clock.measure { result = generated(bytes) }
    guard time <= longest else { fatalError("a document of \(count) bytes took \(time)") }
    guard let result else { return 0 }
    for file in result.files where file.name.contains("/") || file.contents.isEmpty {
        fatalError("the file \(file.name) holds \(file.contents.utf8.count) bytes")
    }
    for diagnostic in result.diagnostics where diagnostic.message.isEmpty {
        fatalError("a diagnostic that says nothing: \(diagnostic)")
    }
    // Only once in a while, because it doubles the work.
    if count % 16 == 0, generated(bytes)?.files != result.files { fatalError("the same document gave other code") }
    return 0
}

/// Returns the result for a document; nil if it can't be read.
func generated(_ bytes: [UInt8]) -> GeneratorResult? {
    do throws(Diagnostic) {
        return Generator().generate(document: try DocumentLoader().load(bytes: bytes, name: "fuzz.yaml"))
    } catch {
        guard !error.message.isEmpty else { fatalError("an error that does not help: \(error)") }
        return nil
    }
}

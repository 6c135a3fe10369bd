import Foundation
import FuzzSupport

@testable import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are a base URL, a path and a value in it, one line each. The prepared request must have a request line
/// that no value has split, and the value must be one segment.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let lines = text.unicodeScalars.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(
        String.init)
    let reference = URLReference(lines[0])
    guard reference.description == lines[0] else { fatalError("\(reference) was \(lines[0])") }
    _ = reference.resolved(against: URLReference("http://h/a/b?c")).description
    guard !RedactionPolicy.safeDefault.redact(url: "https://u:\(lines[0])@h/").isEmpty else {
        fatalError("nothing left")
    }
    let base: BaseURL
    do throws(NetError) { base = try BaseURL(lines[0]) } catch { return 0 }
    guard base.origin == (try? BaseURL(base.description))?.origin else { fatalError("the origin of \(base)") }
    guard lines.count == 3 else { return 0 }
    let value = lines[2]
    var path = Path(lines[1]) / value
    path = path.appending(Path("x\(value)"))
    let builder = RequestBuilder(baseURL: base, defaultHeaders: [:], coding: .standard)
    let request = Request<Bytes>(path, query: [QueryItem(value, value)])
    do throws(NetError) {
        let target = try builder.prepare(request).head.path ?? ""
        guard target.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "#") }), target.hasPrefix("/") else {
            fatalError("the target is \(target)")
        }
        let segments = path.encoded.split(separator: "/", omittingEmptySubsequences: false)
        guard PercentEncoding.decode(segments[segments.count - 2]) == value,
            PercentEncoding.decode(segments[segments.count - 1]) == "x" + value
        else { fatalError("\(path.encoded) does not hold \(value)") }
    } catch {
        guard error.code == .invalidRequest, !error.message.isEmpty else { fatalError("\(error)") }
    }
    return 0
}

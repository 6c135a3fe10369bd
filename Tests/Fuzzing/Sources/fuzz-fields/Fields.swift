import Foundation
import FuzzSupport

@testable import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are a header block, and a header value. A field of a block must equal the combination of its lines; a
/// value that is decoded and encoded must decode again to the same.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let block = HeaderBlock(bytes)
    let headers = block.headers
    for name in Set(headers.map(\.name)) where name != .setCookie && name != .cookie {
        guard block[name] == headers[name] else {
            fatalError("\(name): \(block[name] ?? "-") alone, \(headers[name] ?? "-") among all")
        }
    }
    for field in headers {
        guard !field.value.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) else { fatalError("\(field)") }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let type = MediaType(text) {
        guard MediaType(type.description) == type else { fatalError("\(type)") }
    }
    if let authorization = Authorization(text) {
        guard !"\(authorization)".contains(authorization.credentials) || authorization.credentials.count < 20 else {
            fatalError("the credentials are shown")
        }
    }
    _ = ContentDisposition(text)
    var values = HTTPFields()
    values.append(HTTPField(name: .accept, value: text))
    values.append(HTTPField(name: .connection, value: text))
    let accepted = values.accepted
    values.accepted = accepted
    guard values.accepted.map(\.value) == accepted.map(\.value) else { fatalError("\(accepted)") }
    let options = values.connection
    values.connection = options
    guard values.connection == options else { fatalError("\(options)") }
    return 0
}

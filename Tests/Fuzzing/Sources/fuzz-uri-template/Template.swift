import Foundation
import FuzzSupport
import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

private let values: [String: URITemplate.Value?] = [
    "a": "é b%20%", "b": ["x", "%zz", ""], "c": ["k": "v&", "": "/"], "d": nil, "e": "", "f": [],
]

/// The bytes are a template. A parsed one must expand to ASCII that is valid in a URI, and list its variables; an error
/// must give a position.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let template: URITemplate
    do throws(URITemplateError) {
        template = try URITemplate(text)
    } catch {
        guard error.position >= 0, error.position <= text.utf8.count, !error.message.isEmpty else {
            fatalError("\(error)")
        }
        return 0
    }
    do throws(URITemplateError) {
        let expanded = try template.expand(values)
        guard expanded.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { fatalError("\(text) expands to \(expanded)") }
    } catch {
        guard error.code == .prefixOfList, error.position < text.utf8.count else { fatalError("\(error)") }
    }
    guard template.description == text, template.variableNames.allSatisfy(text.contains) else { fatalError(text) }
    _ = try? template.target(values)
    return 0
}

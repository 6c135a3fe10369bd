import Foundation
import FuzzSupport
import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are a field of each kind. A parsed one must encode, and decode again to the same; an error must give a
/// position.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    check(text, StructuredField.Item.init(parsing:), { item throws(StructuredFieldError) in try item.serialized() })
    check(text, StructuredField.List.init(parsing:), { list throws(StructuredFieldError) in try list.serialized() })
    check(
        text, StructuredField.Dictionary.init(parsing:),
        { dictionary throws(StructuredFieldError) in try dictionary.serialized() })
    return 0
}

private func check<Value: Equatable>(
    _ text: String, _ parse: (String) throws(StructuredFieldError) -> Value,
    _ write: (Value) throws(StructuredFieldError) -> String
) {
    let value: Value
    do throws(StructuredFieldError) {
        value = try parse(text)
    } catch {
        guard let position = error.position, (0...text.utf8.count).contains(position), !error.message.isEmpty else {
            fatalError("\(error)")
        }
        return
    }
    do throws(StructuredFieldError) {
        let written = try write(value)
        guard try parse(written) == value else { fatalError("\(text) is written as \(written)") }
    } catch {
        fatalError("\(text) is read, but not written and read again: \(error)")
    }
}

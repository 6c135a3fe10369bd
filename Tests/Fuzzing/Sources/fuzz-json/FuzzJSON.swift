import Foundation
import FuzzSupport

@testable import NetCore
@testable import NetOpenAPI
@testable @_spi(Generated) import NetOpenAPIRuntime
@testable import NetRecord

/// The maximum CPU time for one document.
let longest = Duration.seconds(1)

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// An object that keeps members without a property, and contains unions.
struct Tree: SchemaObject {
    var next: [Choice]?
    private var undeclared = UndeclaredMembers()

    init(reading members: inout ObjectMembers) throws {
        next = members.optional("a")
        undeclared = members.undeclared()
    }

    func visit(_ visitor: inout MemberVisitor) { visitor.members(undeclared: undeclared, ("a", next)) }
}

indirect enum Choice: Codable, Hashable, Sendable {
    case tree(Tree)
    case number(Int)
    case text(String)
    case list([Choice])

    init(from decoder: any Decoder) throws {
        var union = UnionDecoder<Choice>(decoder)
        union.consider(Tree.self, keys: ["a"], isOpen: true) { .tree($0) }
        union.consider(Int.self) { .number($0) }
        union.consider(String.self) { .text($0) }
        union.consider([Choice].self) { .list($0) }
        self = try union.match()
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .tree(let value): try encoder.encode(value)
        case .number(let value): try encoder.encode(value)
        case .text(let value): try encoder.encode(value)
        case .list(let value): try encoder.encode(value)
        }
    }
}

/// The bytes are a document. All parsers agree on whether it is JSON; a decoded value is encoded and decodes again to
/// the same; an error gives a position.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Bytes(UnsafeBufferPointer(start: start, count: count))
    let clock = ContinuousClock()
    let time = clock.measure { check(bytes) }
    guard time <= longest else { fatalError("a document of \(count) bytes took \(time)") }
    return 0
}

func check(_ bytes: Bytes) {
    _ = try? JSONCoding.standard.decode(Tree.self, from: bytes)
    _ = try? JSONCoding.snakeCaseISO8601.decode([String: Choice].self, from: bytes)
    let document: JSONDocument?
    do throws(UnreadableJSON) {
        document = try JSONDocument(bytes)
    } catch {
        guard !error.problem.isEmpty, error.byteOffset <= 4 * bytes.count + 4 else { fatalError("no help: \(error)") }
        document = nil
    }
    if let value = try? JSONCoding.standard.decode(JSONValue.self, from: bytes) {
        guard document != nil else { fatalError("read as a value alone") }
        checkAgain(value)
        guard (try? document?.node()) != nil else { fatalError("no nodes") }
    }
    checkDocumentReader(Array(bytes), isJSON: document != nil)
}

/// An encoded value can be decoded. A number of more than 38 digits loses the excess digits the first time, and none
/// after that.
func checkAgain(_ value: JSONValue) {
    guard let first = again(value), let second = again(first), let third = again(second) else {
        fatalError("what was read cannot be written and read")
    }
    guard second == third else { fatalError("written again it is another") }
}

func again(_ value: JSONValue) -> JSONValue? {
    (try? JSONCoding.standard.encode(value)).flatMap { try? JSONCoding.standard.decode(JSONValue.self, from: $0) }
}

/// The parser of OpenAPI documents has its own tree: it must accept the same texts.
func checkDocumentReader(_ bytes: [UInt8], isJSON: Bool) {
    // It checks UTF-8 first, and accepts no other encoding.
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.prefix(4).contains(0) else { return }
    do throws(Diagnostic) {
        _ = try JSONReader.read(bytes, name: "fuzz.json")
        guard isJSON else { fatalError("read as a document alone") }
    } catch {
        guard !isJSON else { fatalError("not read as a document: \(error)") }
    }
}

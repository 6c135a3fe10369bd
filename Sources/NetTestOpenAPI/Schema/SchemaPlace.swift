#if Server
/// A place in a document or in a file that it references; findings use it to identify the violated rule.
struct SchemaPlace: Hashable, Sendable {
    /// The file; empty for the document itself.
    var file: String
    /// The JSON pointer in that file.
    var pointer: String

    /// The place of a member or element.
    func appending(_ segments: String...) -> SchemaPlace {
        SchemaPlace(file: file, pointer: segments.reduce(pointer) { "\($0)/\(Self.escaped($1))" })
    }

    /// `#/components/schemas/Pet`, or `parts/pet.yaml#/Pet`.
    var text: String { "\(file)#\(pointer)" }

    /// A segment of a JSON pointer (RFC 6901 section 3).
    static func escaped(_ segment: String) -> String {
        guard segment.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
            return segment
        }
        return segment.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
    }
}
#endif

/// A key compared by its bytes.
///
/// Swift's `String` treats `é` as equal whether it is one scalar or two; a JSON object may contain both.
struct ExactKey: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: Self, right: Self) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

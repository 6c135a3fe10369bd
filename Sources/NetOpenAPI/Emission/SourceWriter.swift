/// Collects lines of Swift, indented by four spaces a level.
struct SourceWriter {
    private(set) var text = ""
    private var level = 0

    /// One line; an empty one is not indented.
    mutating func line(_ line: String = "") {
        if !line.isEmpty {
            for _ in 0..<level { text += "    " }
            text += line
        }
        text += "\n"
    }

    /// A head with `{`, the body one level deeper, and `}`.
    mutating func block(_ head: String, close: String = "}", _ body: (inout SourceWriter) -> Void) {
        line(head + " {")
        level += 1
        body(&self)
        level -= 1
        line(close)
    }

    /// A list in parentheses after a head, on one line where it fits into 120 columns, else one element a line.
    mutating func list(_ head: String, _ elements: [String], tail: String = "") {
        let whole = "\(head)(\(elements.joined(separator: ", ")))\(tail)"
        guard whole.count + level * 4 > 120 else { return line(whole) }
        line(head + "(")
        level += 1
        for (place, element) in elements.enumerated() {
            line(element + (place + 1 < elements.count ? "," : ""))
        }
        level -= 1
        line(")" + tail)
    }

    /// A list in parentheses after a head, then a body.
    mutating func function(_ head: String, _ parameters: [String], _ body: (inout SourceWriter) -> Void) {
        list(head, parameters, tail: " {")
        level += 1
        body(&self)
        level -= 1
        line("}")
    }

    /// Doc comment lines.
    mutating func documentation(_ lines: [String]) {
        for comment in lines { line(comment.isEmpty ? "///" : "/// " + comment) }
    }

    /// Room for text at this level.
    var width: Int { 116 - level * 4 }
}

/// Collects lines of Swift code, indented by four spaces per level.
struct SourceWriter {
    private(set) var text = ""
    private var level = 0

    /// Writes a line; an empty one isn't indented.
    mutating func line(_ line: String = "") {
        if !line.isEmpty {
            for _ in 0..<level { text += "    " }
            text += line
        }
        text += "\n"
    }

    /// Writes a head with `{`, the body one level deeper, and `}`.
    mutating func block(_ head: String, close: String = "}", _ body: (inout SourceWriter) -> Void) {
        line(head + " {")
        level += 1
        body(&self)
        level -= 1
        line(close)
    }

    /// Writes a list in parentheses after a head: on one line if it fits into 120 columns, otherwise on as few lines as
    /// possible.
    mutating func list(_ head: String, _ elements: [String], tail: String = "") {
        let room = 120 - level * 4
        var count = head.count + tail.count + 2
        for element in elements {
            count += element.count + 2
            if count > room + 2 { break }
        }
        guard count > room + 2 else { return line("\(head)(\(elements.joined(separator: ", ")))\(tail)") }
        line(head + "(")
        level += 1
        wrapped("", elements, isContinued: true)
        level -= 1
        line(")" + tail)
    }

    /// Writes elements separated by commas, wrapped at 120 columns; the lines after the first are indented by one more
    /// level.
    mutating func wrapped(_ head: String, _ elements: [String], tail: String = "", isContinued: Bool = false) {
        var current = head
        var isFirst = true
        var isEmpty = true
        for (place, element) in elements.enumerated() {
            let text = element + (place + 1 < elements.count ? "," : tail)
            let room = 120 - (level + (isFirst || isContinued ? 0 : 1)) * 4
            if !isEmpty, current.count + text.count + 1 > room {
                line((isFirst || isContinued ? "" : "    ") + current)
                isFirst = false
                current = text
            } else {
                current += isEmpty ? text : " " + text
            }
            isEmpty = false
        }
        if elements.isEmpty { current += tail }
        line((isFirst || isContinued ? "" : "    ") + current)
    }

    /// Writes a list in parentheses after a head, then a body.
    mutating func function(
        _ head: String, _ parameters: [String], effects: String = "", _ body: (inout SourceWriter) -> Void
    ) {
        list(head, parameters, tail: effects.isEmpty ? " {" : " \(effects) {")
        level += 1
        body(&self)
        level -= 1
        line("}")
    }

    /// Writes lines of a doc comment.
    mutating func documentation(_ lines: [String]) {
        for comment in lines { line(comment.isEmpty ? "///" : "/// " + comment) }
    }

    /// The width available for text at this level.
    var width: Int { 116 - level * 4 }
}

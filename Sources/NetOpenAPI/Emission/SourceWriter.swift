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

    /// A list in parentheses after a head, on one line where it fits into 120 columns, else on as few as it takes.
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

    /// Elements with commas between them, wrapped at 120 columns; the lines after the first are indented once more.
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

    /// A list in parentheses after a head, then a body.
    mutating func function(
        _ head: String, _ parameters: [String], effects: String = "", _ body: (inout SourceWriter) -> Void
    ) {
        list(head, parameters, tail: effects.isEmpty ? " {" : " \(effects) {")
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

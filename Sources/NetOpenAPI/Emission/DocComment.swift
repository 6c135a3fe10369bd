/// Formats text of a document as doc comment lines: wrapped, without control characters, without empty lines at either
/// end.
enum DocComment {
    static func lines(_ documentation: Documentation, extra: [String] = [], width: Int) -> [String] {
        var paragraphs: [[String]] = []
        let summary = lines(of: documentation.summary ?? "", width: width)
        let description = lines(of: documentation.description ?? "", width: width)
        if !summary.isEmpty { paragraphs.append(summary) }
        if !description.isEmpty, description != summary { paragraphs.append(description) }
        for text in extra { paragraphs.append(lines(of: text, width: width)) }
        return Array(paragraphs.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// Returns the text as a single line, for a short remark.
    static func sentence(_ text: String) -> String {
        lines(of: text, width: .max).joined(separator: " ")
    }

    private static func lines(of text: String, width: Int) -> [String] {
        var result: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            result += wrapped(cleaned(line), width: width)
        }
        while result.first?.isEmpty == true { result.removeFirst() }
        while result.last?.isEmpty == true { result.removeLast() }
        return result
    }

    private static func cleaned(_ line: Substring) -> String {
        var text = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format, .surrogate, .unassigned, .privateUse:
                text.append(" ")
            default: text.append(scalar)
            }
        }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func wrapped(_ line: String, width: Int) -> [String] {
        guard line.count > width else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        var lines: [String] = []
        var current = ""
        for word in line.split(separator: " ") {
            if current.isEmpty {
                current = indent + word
            } else if current.count + 1 + word.count > width {
                lines.append(current)
                current = indent + word
            } else {
                current += " " + word
            }
        }
        if !current.isEmpty { lines.append(current) }
        return lines
    }
}

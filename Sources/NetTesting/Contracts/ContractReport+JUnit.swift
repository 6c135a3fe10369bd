internal import NetCore

extension ContractReport {
    /// The report as JUnit XML, which CI systems display. It has a test case for each expectation, failed if a
    /// violation is nearest to it, and a test case for each request that isn't near any expectation.
    public var junit: String {
        let strays = violations.filter { $0.expectation == nil }
        let cases =
            expectations.map { id in testcase(id, violations.filter { $0.expectation == id }) }
            + strays.enumerated().map { testcase("unexpected request \($0.offset + 1)", [$0.element]) }
        let failures = Set(violations.compactMap(\.expectation)).count + strays.count
        let time = startedAt.map { " timestamp=\"\(RFC3339.format($0))\"" } ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
            <testsuite name="\(Self.escaped(name))" tests="\(cases.count)" failures="\(failures)" errors="0"\(time)>
            \(cases.joined(separator: "\n"))
            </testsuite>
            </testsuites>

            """
    }

    private func testcase(_ id: String, _ violations: [ContractViolation]) -> String {
        let head = "<testcase classname=\"\(Self.escaped(name))\" name=\"\(Self.escaped(id))\""
        guard let first = violations.first else { return head + "/>" }
        // One failure element each: several are allowed, but most tools show only the first.
        let message = first.differences.map(\.field).joined(separator: ", ")
        let text = violations.map(\.description).joined(separator: "\n\n")
        return head + ">\n<failure type=\"\(first.kind.rawValue)\" message=\"\(Self.escaped(message))\">"
            + Self.escaped(text) + "</failure>\n</testcase>"
    }

    /// The text escaped for XML 1.0 (section 2.2), which can't represent most control characters; their code points are
    /// written instead.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{7f}"..<"\u{a0}", "\u{fffe}", "\u{ffff}":
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

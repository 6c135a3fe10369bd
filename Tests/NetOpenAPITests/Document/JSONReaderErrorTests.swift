import Testing

@testable import NetOpenAPI

/// A text that isn't JSON, with the position and reason of its error.
struct BadJSON: CustomStringConvertible {
    var text: String
    var place: String
    var says: String

    init(_ text: String, _ place: String, _ says: String) {
        self.text = text
        self.place = place
        self.says = says
    }

    var description: String { text }
}

private let badTexts: [BadJSON] = [
    BadJSON("", "1:1", "empty"),
    BadJSON(" \n ", "2:2", "empty"),
    BadJSON("{", "1:2", "the object opened at line 1, column 1 is not closed"),
    BadJSON("[1", "1:3", "the array opened at line 1, column 1 is not closed"),
    BadJSON("[1, 2\n", "2:1", "',' or ']' after an element is expected"),
    BadJSON("[1,]", "1:4", "no comma before the closing bracket"),
    BadJSON("{\"a\": 1,}", "1:9", "no comma before the closing bracket"),
    BadJSON("{\"a\" 1}", "1:6", "':' after the key 'a' is expected, found '1'"),
    BadJSON("{\"a\": }", "1:7", "a value is expected, found '}'"),
    BadJSON("{a: 1}", "1:2", "a key in double quotes is expected, found 'a'"),
    BadJSON("{'a': 1}", "1:2", "write JSON text in double quotes"),
    BadJSON("{\"a\": 1 \"b\": 2}", "1:9", "',' or '}' after a member"),
    BadJSON("{\"a\": 1]", "1:8", "',' or '}' after a member is expected, found ']'"),
    BadJSON("// x\n1", "1:1", "JSON has no comments"),
    BadJSON("[1] 2", "1:5", "nothing more after the end"),
    BadJSON("01", "1:1", "'01' isn't a JSON number"),
    BadJSON("-", "1:1", "'-' isn't a JSON number"),
    BadJSON("1.", "1:1", "'1.' isn't a JSON number"),
    BadJSON(".5", "1:1", "a value is expected, found '.'"),
    BadJSON("+1", "1:1", "a value is expected, found '+'"),
    BadJSON("1e", "1:1", "'1e' isn't a JSON number"),
    BadJSON("0x1F", "1:1", "'0x1F' isn't a JSON number"),
    BadJSON("1.2.3", "1:1", "'1.2.3' isn't a JSON number"),
    BadJSON("NaN", "1:1", "'NaN' isn't a JSON value"),
    BadJSON("[tru]", "1:2", "'tru' isn't a JSON value"),
    BadJSON("True", "1:1", "'True' isn't a JSON value"),
    BadJSON("\"abc", "1:5", "ends inside the string that starts at line 1, column 1"),
    BadJSON("\"abc\\", "1:6", "ends inside the string"),
    BadJSON("\"a\nb\"", "1:3", "control character U+000A"),
    BadJSON("\"a\u{1}b\"", "1:3", "control character U+0001"),
    BadJSON("\"a\\qb\"", "1:3", "JSON has no such escape"),
    BadJSON("\"\\u12G4\"", "1:2", "four hexadecimal digits"),
    BadJSON("\"\\u12", "1:2", "four hexadecimal digits"),
    BadJSON("[é]", "1:2", "found 'é'"),
    BadJSON("[\u{7F}]", "1:2", "control character U+007F"),
]

@Test("Each fault in JSON is told with its place", arguments: badTexts)
func eachFaultIsTold(_ bad: BadJSON) throws {
    let error = try #require(jsonError(bad.text.bytes))
    #expect(error.description.hasPrefix("t.json:\(bad.place): error: "), "\(error)")
    #expect(error.message.contains(bad.says), "\(error)")
}

import Testing

@testable import NetOpenAPI

@Test("YAML scalars stay as written, and quotes are remembered")
func yamlScalarsStayAsWritten() throws {
    let node = try yaml(
        """
        200: no
        date: 2020-01-01
        version: 1.0
        big: 123456789012345678901234567890
        quoted: "1"
        single: 'yes'
        block: |
          a
          b
        folded: >-
          a
          b
        empty:
        tilde: ~
        """)
    let expected = """
        {200: no, date: 2020-01-01, version: 1.0, big: 123456789012345678901234567890, quoted: "1", single: "yes", \
        block: "a\nb\n", folded: "a b", empty: , tilde: ~}
        """
    #expect(node.outline == expected)
    #expect(node["200"]?.bool == nil)
    #expect(node["empty"]?.isNull == true)
}

@Test(
    "Tags say what is text and what is not",
    arguments: [
        ("!!str 12", "\"12\""), ("! 12", "\"12\""), ("!!int \"12\"", "12"), ("!!bool 'true'", "true"),
        ("!!null ''", ""),
        ("!!float '1'", "1"), ("!!binary aGk=", "\"aGk=\""), ("!local 12", "12"),
        ("!<tag:yaml.org,2002:str> 1", "\"1\""),
    ])
func tagsDecide(_ text: String, _ outline: String) throws {
    #expect(try yaml("a: \(text)").outline == "{a: \(outline)}")
}

@Test("YAML positions count lines and Unicode scalars from 1")
func yamlPositions() throws {
    let node = try yaml("# c\né: [1,\n  \"x\"]\nb: |\n  text\n")
    #expect(node.position == SourcePosition(file: "t.yaml", line: 2, column: 1))
    #expect(node.members[0].value.position == SourcePosition(file: "t.yaml", line: 2, column: 4))
    #expect(node.members[0].value.elements[1].position == SourcePosition(file: "t.yaml", line: 3, column: 3))
    #expect(node.members[1].keyPosition == SourcePosition(file: "t.yaml", line: 4, column: 1))
    #expect(try yaml("\u{FEFF}a: b").members[0].value.position.column == 4)
}

@Test("An alias is its anchor's node, with the anchor's place")
func aliasesAreResolved() throws {
    let node = try yaml("a: &x {k: 1}\nb: *x\nc: &s text\n*s : d\n")
    #expect(node.outline == "{a: {k: 1}, b: {k: 1}, c: text, text: d}")
    #expect(node["b"]?.position.line == 1)
}

@Test("A later anchor of the same name replaces the earlier one")
func anchorsAreReplaced() throws {
    #expect(try yaml("[&a 1, *a, &a 2, *a]").outline == "[1, 1, 2, 2]")
    #expect(try yaml("&a [&a b, *a]").outline == "[b, b]")
}

@Test("A repeated YAML key gives a warning and its last value")
func repeatedYAMLKey() throws {
    let result = try YAMLReader.read("a: 1\nb: 2\n\"a\": 3\n".bytes, name: "t")
    #expect(result.root.outline == "{a: 3, b: 2}")
    #expect(result.warnings.map(\.position?.line) == [3])
}

@Test("Of several YAML documents the first is read, with one warning")
func severalDocuments() throws {
    let result = try YAMLReader.read("a: 1\n---\nb: 2\n---\nc: 3\n".bytes, name: "t")
    #expect(result.root.outline == "{a: 1}")
    #expect(
        result.warnings.map(\.description) == [
            "t:2:1: warning: the file holds several YAML documents; only the first is read"
        ])
}

@Test(
    "Faults in YAML are told with their place",
    arguments: [
        ("---\n---\na: 1\n", "2:1", "the first YAML document of the file is empty"),
        ("# nothing\n", "2:1", "the document is empty"),
        ("a: *b", "1:4", "the alias '*b' has no anchor '&b' before it"),
        ("a: &b [1, *b]", "1:11", "the alias '*b' is inside its own anchor"),
        ("? [1]\n: 2\n", "1:3", "a key is a sequence or a mapping"),
        ("a: b: c", "1:5", "mapping values are not allowed in this context"),
        (
            "a: [1\nb: 2\n", "2:2",
            "did not find expected ',' or ']', while parsing a flow sequence that starts at line 1"
        ),
        ("a:\n\t- b", "2:1", "found character that cannot start any token"),
        ("a: !x!y z", "1:4", "found undefined tag handle"),
        ("a: \u{1}", "1:", "control characters are not allowed"),
        ("a: 1\n---\nb: [", "4:1", "did not find expected node content"),
    ])
func faultsInYAML(_ text: String, _ place: String, _ says: String) throws {
    let error = try #require(yamlError(text.bytes))
    #expect(error.description.hasPrefix("t.yaml:\(place)"), "\(error)")
    #expect(error.message.contains(says), "\(error)")
}

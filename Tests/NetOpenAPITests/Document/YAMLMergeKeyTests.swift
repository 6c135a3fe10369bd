import Testing

@testable import NetOpenAPI

@Test(
    "A merge key adds what the mapping does not say itself",
    arguments: [
        ("x: &x {a: 1, b: 2}\ny: {<<: *x, b: 3, c: 4}", "{a: 1, b: 3, c: 4}"),
        ("x: &x {a: 1, b: 2}\ny: {b: 3, <<: *x}", "{b: 3, a: 1}"),
        ("x: &x {a: 1}\nz: &z {a: 2, b: 2}\ny: {<<: [*x, *z]}", "{a: 1, b: 2}"),
        ("x: &x {a: 1}\ny: {! <<: *x}", "{<<: {a: 1}}"),
        ("x: &x {a: 1}\ny: {'<<': *x}", "{<<: {a: 1}}"),
        ("x: &x {a: 1}\ny: {!!merge '<<': *x}", "{a: 1}"),
        ("x: &x {a: 1}\ny: {!!merge k: *x}", "{a: 1}"),
        ("x: &x {a: 1}\nz: &z {<<: *x, b: 2}\ny: {<<: *z, c: 3}", "{a: 1, b: 2, c: 3}"),
        ("y: {<<: {a: 1}, b: 2}", "{a: 1, b: 2}"),
        ("y: {<<: [], b: 2}", "{b: 2}"),
    ])
func mergeKeys(_ text: String, _ outline: String) throws {
    #expect(try yaml(text)["y"]?.outline == outline)
}

@Test("A merge key without a mapping stays a plain key, with a warning")
func mergeWithoutMapping() throws {
    let result = try YAMLReader.read("<<: text\na: 1\n".bytes, name: "t")
    #expect(result.root.outline == "{<<: text, a: 1}")
    #expect(result.warnings.map(\.position?.line) == [1])
}

@Test("Two merge keys work like a list, with a warning")
func twoMergeKeys() throws {
    let result = try YAMLReader.read("<<: {a: 1}\nb: 2\n<<: {a: 3, c: 4}\n".bytes, name: "t")
    #expect(result.root.outline == "{a: 1, b: 2, c: 4}")
    #expect(result.warnings.map(\.position?.line) == [3])
}

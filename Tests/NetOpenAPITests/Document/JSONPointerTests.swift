import Testing

@testable import NetOpenAPI

@Test(
    "Pointers are read and written with their escapes",
    arguments: [
        ("", []), ("/", [""]), ("/a/b", ["a", "b"]), ("/paths/~1pets~1{id}/get", ["paths", "/pets/{id}", "get"]),
        ("/m~0n", ["m~n"]), ("/~01", ["~1"]), ("//", ["", ""]), ("/é 😀", ["é 😀"]),
    ] as [(String, [String])])
func pointersAreReadAndWritten(_ text: String, _ segments: [String]) throws {
    let pointer = try #require(JSONPointer(text: text))
    #expect(pointer.segments == segments)
    #expect(pointer.text == text)
}

@Test("A pointer begins with a slash")
func pointerBeginsWithSlash() {
    #expect(JSONPointer(text: "a/b") == nil)
    #expect(JSONPointer(text: "/a~")?.segments == ["a~"])
    #expect(JSONPointer(text: "/~~1")?.segments == ["~/"])
    #expect(JSONPointer(text: "/a~2b")?.segments == ["a~2b"])
}

@Test(
    "Percent-encoding is decoded where it is one",
    arguments: [
        ("a%20b", "a b"), ("%C3%A9", "é"), ("%7Bid%7d", "{id}"), ("100%", "100%"), ("%4", "%4"), ("%zz", "%zz"),
        ("%ff", "%ff"), ("", ""),
    ])
func percentDecoding(_ text: String, _ decoded: String) {
    #expect(PercentDecoding.decoded(text) == decoded)
}

@Test(
    "The place of a reference is told from its text",
    arguments: [
        ("#/a", "same"), ("", "same"), ("pet.yaml", "file pet.yaml"), ("./a%20b.yaml#/x", "file ./a b.yaml"),
        ("../x.yaml", "file ../x.yaml"), ("https://e.com/a.yaml#/b", "url https://e.com/a.yaml"),
        ("file:///etc/passwd", "url file:///etc/passwd"), ("urn:a:b", "url urn:a:b"), ("//host/a", "url //host/a"),
        ("/etc/passwd", "absolute /etc/passwd"), ("C:\\a.yaml", "url C:\\a.yaml"), ("a/b:c.yaml", "file a/b:c.yaml"),
    ])
func placeOfReference(_ text: String, _ expected: String) {
    let place =
        switch ReferenceText(text).place {
        case .sameFile: "same"
        case .file(let path): "file \(path)"
        case .url(let url): "url \(url)"
        case .absolutePath(let path): "absolute \(path)"
        }
    #expect(place == expected)
}

@Test(
    "A path never climbs out of its root",
    arguments: [
        ("a.yaml", "", "a.yaml"), ("./a.yaml", "api", "api/a.yaml"), ("../a.yaml", "api", "a.yaml"),
        ("../a.yaml", "", nil), ("x/../../a.yaml", "", nil), ("b/./../c//d", "a", "a/c/d"), ("../../a", "x", nil),
    ] as [(String, String, String?)])
func pathsStayInside(_ path: String, _ folder: String, _ expected: String?) {
    #expect(FilePath.resolve(path, from: folder) == expected)
}

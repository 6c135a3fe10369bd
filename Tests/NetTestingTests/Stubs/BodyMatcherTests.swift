import HTTPTypes
import NetCore
import Testing

@testable import NetTesting

struct BodyMatcherTests {
    private func differences(_ matcher: BodyMatcher, _ body: String, _ type: String = "application/json") -> [String] {
        matcher.differences(
            StubRequest(method: .post, target: "/", headers: [.contentType: type], body: Bytes(body.utf8)))
    }

    @Test func aSubsetOfJSONAllowsMoreMembers() {
        let matcher = BodyMatcher.json(subset: ["a": ["b": 1.0], "list": [["x": 1], 2]])
        #expect(differences(matcher, #"{"list":[{"x":1,"y":0},2],"more":null,"a":{"c":2,"b":1}}"#) == [])
        #expect(
            differences(matcher, #"{"list":[{"y":0},3],"a":{"b":"1"}}"#) == [
                "$.a.b in the body is \"1\", not 1", "$.list[0].x is missing in the body",
                "$.list[1] in the body is 3, not 2",
            ])
        #expect(differences(matcher, #"{"list":[1],"a":{"b":1}}"#) == ["$.list in the body has 1 elements, not 2"])
        #expect(differences(matcher, "") == ["the body is empty, not JSON"])
        #expect(differences(matcher, "{") == ["the body isn't JSON"])
    }

    @Test func aSecretMemberIsNeverShown() {
        let found = differences(
            .json(subset: ["password": "hunter2", "token": ["inner": "hunter3"]]),
            #"{"password":"hunter4","token":{"inner":"hunter5"}}"#)
        #expect(found.count == 2)
        #expect(!found.joined().contains("hunter"))
        let path = differences(.json(at: "$.token.inner", equals: "hunter3"), #"{"token":{"inner":"hunter5"}}"#)
        #expect(path.count == 1)
        #expect(!path.joined().contains("hunter"))
        let any = differences(.json(at: "$.*.inner", equals: "x"), #"{"token":{"inner":"hunter5"}}"#)
        #expect(any == ["$.*.inner in the body selects <redacted>; it should be \"x\""])
    }

    @Test(arguments: [
        ("$", "[7]"), ("$[0]", "7"), ("$[-1]", "7"), ("$[1]", ""), ("$[-2]", ""), ("$[*]", "7"), ("$.a", ""),
    ])
    func aPathSelectsByPlace(_ path: String, _ result: String) {
        #expect(JSONPath(path).select(in: [7]).map { Shown.text($0.value) }.joined(separator: " ") == result)
    }

    @Test(arguments: [
        ("$.a.b", "1"), ("$['a']['b']", "1"), (#"$["a"].b"#, "1"), ("$.*.b", "1 2"), ("$['it\\'s']", "3"), ("$.é", "4"),
        ("$.a-b_1", "5"), ("$.a[0]", ""), ("$.none.b", ""),
    ])
    func aPathSelectsByName(_ path: String, _ result: String) {
        let value: JSONValue = ["a": ["b": 1], "c": ["b": 2], "it's": 3, "é": 4, "a-b_1": 5]
        #expect(JSONPath(path).select(in: value).map { Shown.text($0.value) }.joined(separator: " ") == result)
    }

    @Test(arguments: [
        "", "a", "$a", "$.", "$..a", "$.1", "$[", "$[]", "$[1", "$['a", "$['a'", "$[1:2]", "$[?@.a]", "$[0,1]",
        "$[--1]",
        "$[99999999999999999999]", "$.a ", "$['\\",
    ])
    func aPathThatCannotBeReadSelectsNothingAndSaysWhy(_ path: String) throws {
        let problem = try #require(JSONPath(path).problem)
        #expect(JSONPath(path).select(in: ["a": 1]).isEmpty)
        #expect(
            differences(.json(at: JSONPath(path)), "{}") == ["the stub's JSON path \(path) cannot be read: \(problem)"])
    }

    @Test func aPathIsAskedForItsValues() {
        let body = #"{"lines":[{"sku":"A"},{"sku":"B","n":2}]}"#
        #expect(differences(.json(at: "$.lines[*].sku", equals: "B"), body) == [])
        #expect(differences(.json(at: "$.lines[*].n", equals: 2.0), body) == [])
        #expect(differences(.json(at: "$.lines[1].n", "2"), body) == [])
        #expect(differences(.json(at: "$.gone", .absent), body) == [])
        #expect(
            differences(.json(at: "$.lines[*].sku", equals: "C"), body) == [
                "$.lines[*].sku in the body selects \"A\", \"B\"; it should be \"C\""
            ])
        #expect(differences(.json(at: "$.gone"), body) == ["$.gone in the body selects nothing; it should be present"])
    }

    @Test func aFormIsAskedForItsFieldsInAnyOrder() {
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        let matcher = BodyMatcher.form(["name": "Ada L", "tag": .exactly(["b", "a"]), "password": "hunter2"])
        #expect(differences(matcher, "tag=a&password=hunter2&name=Ada+L&tag=b&more=1", type) == [])
        #expect(
            differences(matcher, "name=Bob&password=hunter3", type) == [
                "form field name is \"Bob\", it should be \"Ada L\"",
                "form field password is <redacted>, it should be <redacted>",
                "form field tag is absent, it should be \"b\" and \"a\"",
            ])
        #expect(differences(matcher, "name=x") == ["Content-Type should be application/x-www-form-urlencoded"])
    }

    private static let multipart =
        "preamble\r\n--XX\r\nContent-Disposition: form-data; name=\"caption\"\r\n\r\nA cat\r\n--XX \r\n"
        + "content-disposition: form-data; name=photo; filename=\"c\\\"at;.png\"\r\ncontent-type: image/png\r\n\r\n"
        + "\r\n--X\r\n\r\n--XX\r\n\r\nno name\r\n--XX--\r\nepilogue"

    @Test func aMultipartFormIsAskedForItsParts() throws {
        let type = "multipart/form-data; boundary=\"XX\""
        let parts = [
            PartMatcher("photo", filename: "c\"at;.png", contentType: "image/png", body: .text("\r\n--X\r\n")),
            PartMatcher("caption", filename: .absent, body: .text("A cat")),
        ]
        #expect(differences(.multipart(parts), Self.multipart, type) == [])
        let wrong = [PartMatcher("caption", filename: "x", body: .text("dog")), PartMatcher("gone")]
        #expect(
            differences(.multipart(wrong), Self.multipart, type) == [
                "the file name of part caption should be \"x\"",
                "in part caption: the body should be the given text of 3 bytes", "part gone is missing in the body",
            ])
    }

    @Test func aMultipartFormThatIsCutAnywhereIsNone() {
        let whole = Array(Self.multipart.utf8)
        let end = whole.count - "\r\nepilogue".utf8.count
        for count in 0..<end {
            let request = StubRequest(
                method: .post, target: "/", headers: [.contentType: "multipart/form-data; boundary=XX"],
                body: Bytes(whole[..<count]))
            #expect(!BodyMatcher.multipart([]).differences(request).isEmpty, "\(count)")
        }
        for type in ["multipart/form-data", "multipart/form-data; boundary=", "text/plain; boundary=XX", ";;=;\""] {
            #expect(!differences(.multipart([]), Self.multipart, type).isEmpty, "\(type)")
        }
    }

    @Test func valuesAreAskedInSeveralWays() {
        #expect(ValueMatcher.contains("ell").matches(["x", "hello"]))
        #expect(!ValueMatcher.contains("ELL").matches(["hello"]))
        #expect(ValueMatcher.exactly(["a", "b"]).matches(["b", "a"]))
        #expect(!ValueMatcher.exactly(["a"]).matches(["a", "a"]))
    }
}

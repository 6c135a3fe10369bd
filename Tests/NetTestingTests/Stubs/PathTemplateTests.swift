import NetTesting
import Testing

struct PathTemplateTests {
    @Test(arguments: [
        ("/users/{id}", "/users/7", ["id": "7"]),
        ("/users/{id}", "/users/a%2Fb", ["id": "a/b"]),
        ("users/{id}", "/users/7", ["id": "7"]),
        ("/files/{name}.json", "/files/x.json", ["name": "x"]),
        ("/v{version}/x", "/v2/x", ["version": "2"]),
        ("/static/{rest*}", "/static/a/b%20c", ["rest": "a/b c"]),
        ("/static/{rest*}", "/static/", ["rest": ""]),
        ("*", "/any/thing", ["path": "any/thing"]),
        ("/a b", "/a%20b", [:]),
        ("/", "/", [:]),
    ])
    func matches(_ template: String, _ path: String, _ parameters: [String: String]) {
        #expect(PathTemplate(template).match(path) == parameters)
    }

    @Test(arguments: [
        ("/users/{id}", "/users"), ("/users/{id}", "/users/"), ("/users/{id}", "/users/7/8"), ("/users", "/user"),
        ("/users", "/users/"), ("/files/{name}.json", "/files/.json"), ("/a/b", "/a%2Fb"),
        ("/static/{rest*}", "/other/a"),
    ])
    func doesNotMatch(_ template: String, _ path: String) {
        #expect(PathTemplate(template).match(path) == nil)
    }

    @Test func oddTextIsLiteral() {
        #expect(PathTemplate("/}{").match("/}{") == [:])
        #expect(PathTemplate("").match("/") == [:])
    }
}

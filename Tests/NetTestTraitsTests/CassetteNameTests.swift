import NetCore
import Testing

@testable import NetTestTraits

@Suite struct CassetteNameTests {
    @Test func theFileLiesBesideTheSource() throws {
        let name = try CassetteName("shop/users", in: "Cassettes", beside: "/app/Tests/UserTests.swift")
        #expect(try name.path(part: nil) == "/app/Tests/Cassettes/shop/users.json")
        #expect(try name.path(part: "7") == "/app/Tests/Cassettes/shop/users/7.json")
        let har = try CassetteName("users.HAR", in: "/tmp/x", beside: "/app/Tests/UserTests.swift")
        #expect(try har.path(part: nil) == "/tmp/x/users.HAR")
        #expect(try har.path(part: "a") == "/tmp/x/users/a.HAR")
        let json = try CassetteName("users.json", in: "../Fixtures", beside: "UserTests.swift")
        #expect(try json.path(part: nil) == "./../Fixtures/users.json")
    }

    @Test(arguments: [
        "", "/etc/passwd", "..", "../users", "a/../b", "a/./b", "a//b", "a/", "a\\b", "a\u{0}", "a\nb",
        String(repeating: "x", count: 201),
    ])
    func aNameThatLeadsElsewhereIsRefused(_ name: String) throws {
        let error = #expect(throws: NetError.self) { try CassetteName(name, in: "Cassettes", beside: "/a/b.swift") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("isn't a valid cassette name") == true)
        #expect(throws: NetError.self) {
            try CassetteName("fine", in: "Cassettes", beside: "/a/b.swift").path(part: name)
        }
    }
}

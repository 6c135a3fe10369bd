import HTTPTypes
import NetCore
import Testing

private struct GetUser: APIRequest {
    struct Response: Decodable, Sendable { let id: Int }
    let id: Int
    var path: Path { "users/\(id)" }
    var query: QueryItems { if id > 0 { QueryItem("page", 2) } }
}

private struct Problem: Codable, Sendable { let title: String }

private struct DeleteUser: APIRequest {
    typealias Response = Void
    typealias Failure = Problem
    var path: Path { "users/1" }
    var method: HTTPRequest.Method { .delete }
}

private struct Download: APIRequest {
    typealias Response = String
    var path: Path { "text" }
}

@Suite struct APIRequestTests {
    @Test func aRequestIsPrintedWithoutItsSecrets() {
        var request = Request<Void>(
            "users/\(7)", method: .put, query: [QueryItem("q", "x"), QueryItem("access_token", "geheim")],
            headers: [.authorization: "Bearer geheim", .cookie: "id=geheim"], body: .text("geheim"))
        #expect(request.description == "PUT users/7?q=x&access_token=<redacted>")
        request.options.absoluteURL = "https://ann:geheim@h/x?sig=geheim"
        #expect(request.description == "PUT https://<redacted>@h/x?sig=<redacted>&q=x&access_token=<redacted>")
        var dumped = ""
        dump([request], to: &dumped)
        for text in [dumped, String(reflecting: request), "\(request.rejected(as: Problem.self))"] {
            #expect(text.contains("PUT https://"), "\(text)")
            #expect(!text.contains("geheim"), "\(text)")
        }
    }

    @Test func aRequestNeedsOnlyItsPath() {
        let request = GetUser(id: 3)
        #expect(request.method == .get)
        #expect(request.path.encoded == "users/3")
        #expect(request.query == [QueryItem("page", 2)])
        #expect(request.failureSerializer == nil)
    }

    @Test func aDeclaredFailureIsReadAsJSON() {
        #expect(DeleteUser().failureSerializer != nil)
    }

    @Test func aFailureOfTextIsNotReadAsJSON() throws {
        struct Told: APIRequest {
            typealias Response = Void
            typealias Failure = String
            var path: Path { "a" }
        }
        let serializer = try #require(Told().failureSerializer)
        let text = try serializer.convert(ResponseHead(status: .badRequest), Bytes("no".utf8), SerializationContext())
        #expect(text == "no")
        #expect(throws: (any Error).self) {
            try DeleteUser().failureSerializer?.convert(
                ResponseHead(status: .badRequest), Bytes("no".utf8), SerializationContext())
        }
    }

    @Test func textIsNotReadAsJSON() throws {
        let text = try Download().serializer.convert(
            ResponseHead(status: .ok), Bytes("plain".utf8), SerializationContext())
        #expect(text == "plain")
    }

    @Test func oneEnumerationCanDeclareAllRequestsOfAnAPI() throws {
        let builder = RequestBuilder(
            baseURL: "https://h/v1", defaultHeaders: [:], coding: .standard)
        let search = try builder.prepare(Users.search(name: "a b", page: nil))
        #expect(search.url == "https://h/v1/users?name=a%20b")
        #expect(search.head.method == .get)
        let removal = try builder.prepare(Users.remove(id: "x/y"))
        #expect(removal.url == "https://h/v1/users/x%2Fy")
        #expect(removal.head.method == .delete)
    }
}

private enum Users: APIRequest {
    typealias Response = Bytes
    case search(name: String, page: Int?)
    case remove(id: String)

    var path: Path {
        switch self {
        case .search: "users"
        case .remove(let id): "users/\(id)"
        }
    }

    var method: HTTPRequest.Method {
        switch self {
        case .search: .get
        case .remove: .delete
        }
    }

    var query: QueryItems {
        if case .search(let name, let page) = self {
            QueryItem("name", name)
            QueryItem.optional("page", page)
        }
    }
}

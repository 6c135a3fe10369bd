import NetCore
import Testing

/// Paths that are really URLs, or that contain a query.
@Suite struct PathMistakeTests {
    @Test(
        "A query in the text of a path says where it goes",
        arguments: [
            Path("books?limit=1"), "books?limit=1", "books/\(7)?full", "?a=1", Path("books").appending("x?y=1"),
            Path().appending("x?y=1"),
        ])
    func query(path: Path) throws {
        let problem = try #require(path.problem)
        #expect(problem.contains("query: [\"limit\": 1]"), "\(problem)")
    }

    @Test(
        "A URL instead of a path says which initializer takes it",
        arguments: ["https://api.test/books", "HTTP://h", "wss://h/x", "http://h/x?y=1"])
    func url(text: String) throws {
        #expect(try #require(Path(text).problem).contains("Request(url:)"))
        #expect(!(try #require(Path(text).problem)).contains("api.test"))
    }

    @Test func literalsAreSeenToo() throws {
        let path: Path = "https://\("h")/books"
        #expect(path.problem?.contains("Request(url:)") == true)
    }

    /// All values are escaped, including those that look like a URL.
    @Test(
        arguments: [
            "proxy/\("https://h/x?y=1")", "\("https://h")", "a/\("b?c")", "docs/http://h", "urn:isbn:1", "https:/x",
            "a:b", "cookies#form", Path("a") / "b?c",
        ] as [Path])
    func valuesMayHoldAnything(path: Path) {
        #expect(path.problem == nil)
    }

    @Test func aRequestIsNotSentToAnotherRoute() throws {
        let builder = RequestBuilder(baseURL: "http://h", defaultHeaders: [:], coding: .standard)
        let error = #expect(throws: NetError.self) { try builder.prepare(Request<String>("books?limit=1")) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("query:") == true)
        #expect(try builder.prepare(Request<String>("books")).head.path == "/books")
    }
}

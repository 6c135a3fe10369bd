import Foundation
import NetCore
import Testing

// `GetBookRequest`, `Book` and `Problem` are made by the build plugin from the `openapi.yaml` beside this file.

@Test("The build plugin's request goes where the document says")
func generatedRequestIsPrepared() throws {
    let request = GetBookRequest(id: "a/b")
    #expect(request.method == .get)
    #expect(request.path.encoded == "books/a%2Fb")
    #expect(request.serializer.accept == "application/json")
    #expect(OpenapiServers.server1 == "https://books.example.com/v1")
}

@Test("The build plugin's types read the document's JSON, one from a file beside it")
func generatedTypesDecode() throws {
    let book = try JSONDecoder().decode(GetBookRequest.Response.self, from: Data(#"{"id": "1", "title": "T"}"#.utf8))
    #expect(book == Book(id: "1", title: "T", pages: nil))
    let problem = try JSONDecoder().decode(GetBookRequest.Failure.self, from: Data(#"{"message": "none"}"#.utf8))
    #expect(problem == Problem(message: "none"))
}

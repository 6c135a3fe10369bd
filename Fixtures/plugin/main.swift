import Foundation

// `GetBookRequest`, `Book` and `Problem` are made by the build plugin from the `openapi.yaml` beside this file.
let request = GetBookRequest(id: "a/b")
print(request.method, request.path.encoded, request.serializer.accept ?? "", BookshelfServers.server1)
let book = try JSONDecoder().decode(GetBookRequest.Response.self, from: Data(#"{"id": "1", "title": "T"}"#.utf8))
print(book == Book(id: "1", title: "T", pages: nil))
let problem = try JSONDecoder().decode(GetBookRequest.Failure.self, from: Data(#"{"message": "none"}"#.utf8))
print(problem == Problem(message: "none"))

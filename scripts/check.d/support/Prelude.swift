import Foundation
import HTTPTypes
import Logging
import NetCore
import NetHTTP

/// What the examples take for granted.
struct Example {
    let client = HTTPClient(baseURL: "https://api.example.com/v1")
    let request = Request<String>("greeting", serializer: .string)
    var response: StreamedResponse { StreamedResponse(head: ResponseHead(status: .ok)) }
    var head: ResponseHead { response.head }
    var body: ResponseBody { response.body }
    let context = CallContext(for: PreparedRequest(head: HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/")))
    let onlyOpen = true
    let tags = ["a"]
    let data = Data()
}

struct GetUser: APIRequest {
    struct Response: Decodable, Sendable {
        let id: Int
        let name: String
    }
    let id: Int
    var path: Path { "users/\(id)" }
}

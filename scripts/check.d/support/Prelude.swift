import Foundation
import NetCore
import NetHTTP
import NetOpenAPI
import NetTestServer

/// The values that examples assume. This type is compiled, but never created.
struct Example {
    let client: HTTPClient
    let transport: CurlTransport
    let request: Request<String>
    let context: CallContext
    let response: StreamedResponse
    let head: ResponseHead
    let body: ResponseBody
    let server: TestServer
    let manager: DownloadManager
    let id: UUID
    let document: Document
    let parameter: Node
    let data: Data
    let chunk: Bytes
    let offset: Int64
    let onlyOpen: Bool
    let tags: [String]
}

struct GetUser: APIRequest {
    struct Response: Decodable, Sendable {
        let id: Int
        let name: String
    }
    let id: Int
    var path: Path { "users/\(id)" }
}

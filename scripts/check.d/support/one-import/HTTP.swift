import NetHTTP

struct GetUser: APIRequest {
    struct Response: Decodable, Sendable { let name: String }
    let id: Int
    var path: Path { "users/\(id)" }
    var headers: HTTPFields { [.accept: "application/json"] }
}

let cookies = CookieStore()

let client = HTTPClient(
    configuration: .init(
        baseURL: "https://api.example.com",
        middleware: [
            LoggingMiddleware(), CookieMiddleware(cookies), AuthMiddleware(try .bearer("token")),
            ConcurrencyLimitMiddleware(limit: 8), RetryMiddleware(RetryPolicy(maximumAttempts: 5)),
        ]))
do {
    let response = try await client.response(GetUser(id: 7))
    print(response.value.name, response.head.status.code, response.head[.contentType] ?? "", cookies.cookies.count)
} catch {
    print(error.netError?.status ?? 0, error.netError?.isTimeout ?? false)
}

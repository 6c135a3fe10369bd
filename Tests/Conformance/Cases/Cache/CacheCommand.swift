/// A command of the runner.
struct CacheCommand: Decodable {
    let op: String
    let id: Int
    let method, url, body, redirect, cache: String?
    let headers: [[String]]?
    let timeout, ms: Int?

    private enum CodingKeys: String, CodingKey {
        case op, id, method, url, body, redirect, cache, headers, ms
        case timeout = "timeout_ms"
    }
}

#if Server
import NetCore
import NetHTTP

/// The page of a LiveView, with the data needed for a join.
struct LivePage: Sendable {
    /// The payload of a join.
    struct Join: Encodable, Sendable {
        var url: String
        var params: [String: String]
        var session: String
        var `static`: String
    }

    let topic: String
    let join: Join

    /// Fetches a page, like a browser before it opens the WebSocket.
    static func fetch(_ url: String) async throws -> LivePage {
        let text: String = try await HTTPClient(configuration: .init()).send(Request<String>(url: url))
        func value(after start: String) throws -> String {
            guard let range = text.range(of: start + "=\""), let end = text[range.upperBound...].firstIndex(of: "\"")
            else {
                throw CaseFailure("the page has no \(start)")
            }
            return String(text[range.upperBound..<end])
        }
        let token = try value(after: "name=\"csrf-token\" content")
        return LivePage(
            topic: "lv:" + (try value(after: "\n        id")),
            join: Join(
                url: url, params: ["_csrf_token": token, "_mounts": "0"], session: try value(after: "data-phx-session"),
                static: try value(after: "data-phx-static")))
    }
}
#endif

#if Tools && Server
import HTTPTypes
import NetTesting
import Testing

@testable import net_lab

/// A proof, and a world in which it can't pass.
struct BrokenProof: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout LabWorld) -> Void

    var testDescription: String { name }

    init(_ name: String, _ change: @escaping @Sendable (inout LabWorld) -> Void) {
        self.name = name
        self.change = change
    }

    /// Creates a world whose stub for a path has a different response.
    init(_ name: String, _ method: HTTPRequest.Method, _ path: PathTemplate, _ response: StubResponse) {
        self.init(name) { $0.stubs.append(Stub(method, path, response).priority(9)) }
    }

    var world: LabWorld {
        var world = LabWorld()
        change(&world)
        return world
    }

    private static let book: PathTemplate = "/v1/books/{bookId}"
    private static let typee = StubResponse.json(Shelf.firstBooks[1])

    static let all = [
        BrokenProof("json", .get, book, typee),
        BrokenProof("text", .get, "/v1/health", .text("closed")),
        BrokenProof("empty", .delete, book, .text("deleted")),
        BrokenProof("raw", .get, book, .text("short and stout")),
        BrokenProof("cache lab", .get, "/v1/charts/{name}", .text("a chart").header(.cacheControl, "no-store")),
        BrokenProof("contract server") { $0.contract.expectations[0].outcome = .json(["name": "Baltic Sea"]) },
        BrokenProof("timeout", .get, book, typee),
        BrokenProof("typed 401", .post, "/v1/session", .problem(403, "wrong name or password")),
        BrokenProof("429 retry", .get, book, .problem(503, "the shop is being painted")),
        BrokenProof("500", .get, book, typee),
        BrokenProof("malformed JSON", .get, book, typee),
        BrokenProof("cancellation", .get, "/v1/charts/endless", .text("at once")),
        BrokenProof("WebSocket echo") {
            $0.webSockets = [WebSocketStub("/echo", subprotocols: ["harbour.v1"], .receive, .close())]
        },
        BrokenProof("socket close") {
            $0.webSockets = [WebSocketStub("/echo", .receive, .text("hello"), .close(.goingAway))]
        },
    ]
}
#endif

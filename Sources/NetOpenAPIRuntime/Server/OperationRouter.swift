internal import HTTPTypes
internal import NetCore

/// The operations of a document with the functions that handle them. Takes a request and returns a response, without
/// any I/O.
///
/// ```swift no-check
/// let router = PetStoreServer.router(pets: Shop(), basePath: "/v1")
/// let response = await router.respond(to: ServerRequest(method: "GET", target: "/v1/pets"))
/// ```
///
/// A path without an operation gets the status 404, a path without this method 405, and a request that can't be read
/// 400, each with problem details (RFC 9457). An error thrown by an operation becomes the status 500, without its
/// description, unless it is a ``ServerFault``. The generated functions don't check credentials: check them before
/// calling the router.
public struct OperationRouter: Sendable {
    private let routes: [ServerOperation]
    private let basePath: String

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - operations: The operations. Of several that match a path, the one with the most literal text responds.
    ///   - basePath: The beginning of all paths. Default empty.
    public init(_ operations: [ServerOperation], basePath: String = "") {
        routes = operations.sorted { $0.template.weight > $1.template.weight }
        self.basePath = basePath.hasSuffix("/") ? String(basePath.dropLast()) : basePath
    }

    /// Responds to a request.
    public func respond(to request: ServerRequest) async -> ServerResponse {
        let path = request.path
        guard path.hasPrefix(basePath) else { return .problem(status: 404, detail: "there is no such path") }
        let rest = path.dropFirst(basePath.count)
        let matches = routes.compactMap { route in route.template.match(rest).map { (route: route, captures: $0) } }
        guard let match = matches.first(where: { $0.route.method == request.method }) else {
            guard !matches.isEmpty else { return .problem(status: 404, detail: "there is no such path") }
            var response = ServerResponse.problem(status: 405, detail: "the path has no operation with this method")
            response.headers[.allow] = Set(matches.map(\.route.method)).sorted().joined(separator: ", ")
            return response
        }
        var received = ReceivedRequest(request, captures: match.captures)
        do {
            return try await match.route.respond(&received)
        } catch let fault as ReceivedFault {
            return .problem(status: 400, detail: fault.description)
        } catch let fault as ServerFault {
            return .problem(status: fault.status, detail: fault.detail)
        } catch {
            return .problem(status: 500, detail: "the request failed")
        }
    }
}

/// An error that an operation throws to send a response with a status other than 500.
public struct ServerFault: Error, Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// A sentence for the client.
    public var detail: String

    /// Creates an error.
    public init(status: Int, detail: String) {
        self.status = status
        self.detail = detail
    }
}

/// One operation with the function that responds to it.
public struct ServerOperation: Sendable {
    let method: String
    let template: ServerPath
    let respond: @Sendable (inout ReceivedRequest) async throws -> ServerResponse

    /// Creates an operation.
    public init<Operation: ServableRequest>(
        _ handle: @escaping @Sendable (Operation) async throws -> ServerReply<Operation>
    ) {
        method = Operation.route.method
        template = ServerPath(Operation.route.path)
        respond = { received in
            let request: Operation
            do {
                request = try Operation(received: &received)
            } catch let fault as ReceivedFault {
                throw fault
            } catch {
                throw ReceivedFault("request", "")
            }
            return try await handle(request).response()
        }
    }
}

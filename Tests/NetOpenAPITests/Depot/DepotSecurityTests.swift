#if Server
import HTTPTypes
import NetHTTP
import NetOpenAPIRuntime
import NetTestServer
import NetTesting
import Testing

/// Credentials are sent according to the document's security schemes.
@Suite(.timeLimit(.minutes(5))) struct DepotSecurityTests {
    private func sent(
        _ schemes: [SecurityScheme: any CredentialProvider], _ call: (ParcelDepotClient) async throws -> Void
    ) async throws -> (target: String, headers: HTTPFields)? {
        let server = try await TestServer.start([Stub(nil, "*", .json(text: #"{"items":[]}"#))])
        let client = HTTPClient(baseURL: server.baseURL) {
            $0.middleware = [AuthMiddleware(schemes: SecurityScheme.providers(schemes))]
        }
        try? await call(ParcelDepotClient(client))
        await client.shutdown()
        await server.stop()
        return server.requests.first.map { ($0.target, $0.headers) }
    }

    @Test func allSchemesOfTheFirstAlternativeAreSent() async throws {
        typealias Schemes = ParcelDepotSecurity
        let request = try await sent([
            Schemes.key: Schemes.key("k3y"), Schemes.app: Schemes.app("4pp"), Schemes.oauth: Schemes.oauth("t0ken"),
        ]) { _ = try await $0.parcels.listParcels(.init(limit: nil)) }
        #expect(request?.target == "/parcels?app=4pp")
        #expect(request?.headers["X-Depot-Key"] == "k3y")
        #expect(request?.headers[.authorization] == nil)
    }

    @Test func theAlternativeThatCanBeMetIsTaken() async throws {
        typealias Schemes = ParcelDepotSecurity
        let request = try await sent([Schemes.key: Schemes.key("k3y"), Schemes.oauth: Schemes.oauth("t0ken")]) {
            _ = try await $0.parcels.listParcels(.init(limit: nil))
        }
        #expect(request?.target == "/parcels")
        #expect(request?.headers["X-Depot-Key"] == nil)
        #expect(request?.headers[.authorization] == "Bearer t0ken")
    }

    @Test func anOperationWithoutSecurityGetsNone() async throws {
        let request = try await sent([ParcelDepotSecurity.oauth: ParcelDepotSecurity.oauth("t0ken")]) {
            _ = try await $0.parcels.readParcel(.init(id: 1))
        }
        #expect(request?.target == "/parcels/1")
        #expect(request?.headers[.authorization] == nil)
    }

    @Test func aKeyCanGoIntoACookie() async throws {
        let server = try await TestServer.start([Stub(nil, "*", .text("ok"))])
        let key = try ParcelDepotSecurity.crumb("k3y")
        let client = HTTPClient(baseURL: server.baseURL) {
            $0.middleware = [AuthMiddleware(schemes: SecurityScheme.providers([ParcelDepotSecurity.crumb: key]))]
        }
        var request = Request<String>("x")
        request.options.metadata.security = SecurityRequirements(alternatives: [[.init("crumb")]])
        _ = try await client.send(request)
        #expect(server.requests.first?.headers[.cookie] == "crumb=k3y")
        await client.shutdown()
        await server.stop()
    }
}
#endif

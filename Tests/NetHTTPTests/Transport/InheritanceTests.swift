#if Server
@testable import ClientTestSupport
import Foundation
import Glibc
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct InheritanceTests {
    /// In a separate process, where no other code opens descriptors.
    @Test func aProgramThatIsStartedInheritsNoDescriptor() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let server = try await TestServer.start([Stub(.get, "/x", .text("ok")), .pattern()])
            // Descriptors of the test runner aren't ours, nor are the connections that the server will accept.
            ThisProcess.keepDescriptors()
            try await TransportTry.with(server.baseURL.description) { _ in
            } _: { client, _ in
                try await client.send(Request<String>("x", serializer: .string))
                let stream = try await client.stream(Request<Bytes>("bytes", serializer: .bytes))
                let inherited = try ThisProcess.inheritedDescriptors(exceptFrom: server.port)
                guard server.statistics.connections == 2 else { ThisProcess.fail("\(server.statistics)") }
                guard inherited.isEmpty else { ThisProcess.fail("\(inherited)") }
                withExtendedLifetime(stream) {}
            }
            await server.stop()
        }
        #expect(String(decoding: child?.standardErrorContent ?? [], as: UTF8.self) == "")
    }
}
#endif

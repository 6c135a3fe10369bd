import Foundation
import NetHTTP
import Testing

/// Digest responses of RFC 7616 and RFC 2617, and others computed elsewhere.
@Suite struct DigestVectorTests {
    struct Vector: Decodable, Sendable {
        let id, username, password, realm, nonce, opaque, method, uri, cnonce, nc, algorithm, response: String
        let qop, entity, usernameHash: String?
        let userhash: Bool?

        private enum CodingKeys: String, CodingKey {
            case id, username, password, realm, nonce, opaque, method, uri, cnonce, nc, algorithm, response
            case qop, entity, userhash
            case usernameHash = "username_hash"
        }

        static let all: [Vector] = {
            let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/conformance/http-digest/vectors.json")
            guard let data = try? Data(contentsOf: path) else { return [] }
            return (try? JSONDecoder().decode([Vector].self, from: data)) ?? []
        }()

        func answer(_ challenge: DigestChallenge) throws -> [FieldParameter] {
            try challenge.authorization(
                user: username, password: password, method: method, uri: uri, cnonce: cnonce,
                count: UInt32(nc, radix: 16) ?? 0, body: Bytes((entity ?? "").utf8)
            ).parameters
        }

        func challenge() throws -> DigestChallenge? {
            var parameters: [FieldParameter] = [
                .init("realm", realm), .init("nonce", nonce), .init("opaque", opaque), .init("algorithm", algorithm),
            ]
            if let qop { parameters.append(.init("qop", qop)) }
            if userhash == true { parameters.append(.init("userhash", "true")) }
            let field = try AuthChallenge(scheme: "Digest", parameters: parameters).value
            return DigestChallenge.strongest(of: AuthChallenge.list(field))
        }
    }

    @Test func thereAreVectors() { #expect(Vector.all.count == 31) }

    @Test(arguments: Vector.all) func theProofIsWhatOthersCompute(vector: Vector) throws {
        let values = try vector.answer(try #require(try vector.challenge()))
        func value(_ name: String) -> String? { values.first { $0.name == name }?.value }
        #expect(value("response") == vector.response)
        #expect(value("username") == vector.usernameHash ?? vector.username)
        #expect(value("qop") == vector.qop)
        #expect(value("uri") == vector.uri)
        #expect(value("opaque") == vector.opaque)
        #expect(value("nc") == (vector.qop == nil ? nil : vector.nc))
    }
}

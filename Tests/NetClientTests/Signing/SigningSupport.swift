#if os(Linux)
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import TestSupport

@testable import NetClient

/// The cases and programs of `Fixtures/auth`.
enum SigningFixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/auth")

    static func read<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: name)))
    }

    /// Returns the lines that a program prints, without the last one.
    static func lines(_ python: String?, _ program: String, _ arguments: String...) async throws -> [String] {
        let path = folder.appending(path: program).path
        return try await offPool { [arguments] in
            let child = try ChildProcess(python ?? "/usr/bin/python3", [path] + arguments)
            defer { child.wait() }
            return try child.lines { $0 == "end" }.dropLast()
        }
    }

    static func request(
        _ method: String, _ host: String, _ target: String, _ headers: [[String]] = [],
        body: Bytes = Bytes()
    ) throws -> PreparedRequest {
        guard let method = HTTPRequest.Method(method) else { throw ChildFailure(description: method) }
        var head = HTTPRequest(method: method, scheme: "https", authority: host, path: target)
        for pair in headers {
            guard let name = HTTPField.Name(pair[0]) else { throw ChildFailure(description: pair[0]) }
            head.headerFields.append(HTTPField(name: name, value: pair[1]))
        }
        return PreparedRequest(head: head, body: body.isEmpty ? .none : .bytes(body))
    }

    static func bytes(_ base64: String) -> Bytes { Data(base64Encoded: base64).map { Bytes($0) } ?? Bytes() }
}

/// `signature-cases.json`: the keys and messages of RFC 9421 appendix B.
struct SignatureCases: Decodable {
    struct Pair: Decodable { let `public`, `private`: String }
    struct Case: Decodable { let name, base, input, signature: String }

    let keys: [String: Pair]
    let secret: String
    let cases: [Case]

    static func all() throws -> SignatureCases {
        try SigningFixture.read("signature-cases.json", as: SignatureCases.self)
    }

    static let algorithms: [String: SignatureKey.Algorithm] = [
        "test-key-rsa-pss": .rsaPSS, "test-key-ecc-p256": .ecdsaP256, "test-key-ed25519": .ed25519,
    ]

    func key(_ id: String, isPublic: Bool = false) throws -> SignatureKey {
        guard let algorithm = Self.algorithms[id], let pair = keys[id] else {
            return SignatureKey(sharedSecret: SigningFixture.bytes(secret), id: id)
        }
        return try SignatureKey(algorithm, pem: .text(isPublic ? pair.public : pair.private), id: id)
    }
}
#endif

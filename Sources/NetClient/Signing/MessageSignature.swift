internal import HTTPTypes
public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The settings of a signature of HTTP messages (RFC 9421): the covered components, and the key.
///
/// ``MessageSignatureMiddleware`` signs the requests of a client. This example signs a single request:
///
///     let key = SignatureKey(sharedSecret: Bytes("a long and unpredictable secret".utf8), id: "app")
///     let signature = MessageSignature(key: key, components: [.method, .targetURI, .contentDigest])
///     let request = try client.prepare(GetUser(id: 7))
///     let signed = try await signature.sign(request, at: Date())
///     print(signed.head.headerFields["Signature-Input"] ?? "")
public struct MessageSignature: Sendable {
    /// The key.
    public var key: SignatureKey
    /// The parts that the signature covers, in order.
    public var components: [Component]
    /// The name of the signature, unique in a message. Default `sig1`.
    public var label: String
    /// The time after which the signature is no longer valid, sent as `expires`. Default nil: not sent.
    public var lifetime: Duration?
    /// The name of the application that the signature is meant for. Default nil.
    public var tag: String?
    /// True to name the algorithm in `alg`. Default false, because the key already determines it.
    public var namesAlgorithm: Bool

    /// Creates a signature.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - components: The parts to cover. Default: the method, the whole URL and the digest of the body.
    ///   - label: The name of the signature. Default `sig1`.
    ///   - lifetime: The time for which it is valid. Default nil: the server decides.
    ///   - tag: The name of the application. Default nil.
    ///   - namesAlgorithm: True to name the algorithm. Default false.
    public init(
        key: SignatureKey, components: [Component] = [.method, .targetURI, .contentDigest], label: String = "sig1",
        lifetime: Duration? = nil, tag: String? = nil, namesAlgorithm: Bool = false
    ) {
        self.key = key
        self.components = components
        self.label = label
        self.lifetime = lifetime
        self.tag = tag
        self.namesAlgorithm = namesAlgorithm
    }

    /// Returns the request with `Signature-Input` and `Signature`, and with the `Content-Digest` that they cover.
    ///
    /// A stream is read once to hash it. Throws `.invalidRequest` if the request lacks a component or already has a
    /// signature with this label, `.encoding` if a body that can be read only once has to be hashed, and the errors of
    /// the key.
    ///
    /// - Parameters:
    ///   - request: The request as it will be sent.
    ///   - date: The time of the signature, sent as `created` in whole seconds.
    ///   - nonce: A value that makes the signature unique. Default nil: not sent.
    public func sign(_ request: PreparedRequest, at date: Date, nonce: String? = nil) async throws -> PreparedRequest {
        var request = request
        if components.contains(.contentDigest), request.head.headerFields[.digestOfContent] == nil,
            let digest = try await request.bodyHash()
        {
            let dictionary: StructuredField.Dictionary = ["sha-256": .item(.byteSequence(digest))]
            request.head.headerFields[.digestOfContent] = try dictionary.serialized()
        }
        let hasDigest = request.head.headerFields[.digestOfContent] != nil
        let covered = components.filter { !$0.isOptional || hasDigest }
        let (base, input) = try SignatureBase(request: request).text(
            covered, parameters: parameters(at: date, nonce: nonce))
        let signature = try await key.sign(base)
        try Self.add(label, .item(.byteSequence(signature)), input: input, to: &request.head.headerFields)
        return request
    }

    private func parameters(at date: Date, nonce: String?) -> StructuredField.Parameters {
        let created = Int64(date.timeIntervalSince1970.rounded(.down))
        var parameters: StructuredField.Parameters = ["created": .integer(created)]
        if let lifetime { parameters["expires"] = .integer(created + lifetime.components.seconds) }
        if let id = key.id { parameters["keyid"] = .string(id) }
        if namesAlgorithm { parameters["alg"] = .string(key.algorithm.rawValue) }
        if let nonce { parameters["nonce"] = .string(nonce) }
        if let tag { parameters["tag"] = .string(tag) }
        return parameters
    }

    private static func add(
        _ label: String, _ signature: StructuredField.Member, input: String, to fields: inout HTTPFields
    ) throws {
        guard try fields.structuredDictionary(.signatureInput)[label] == nil else {
            throw SignatureBase.error("the request already has a signature \(label)")
        }
        let dictionary: StructuredField.Dictionary = [label: signature]
        fields.append(HTTPField(name: .signatureInput, value: "\(label)=\(input)"))
        fields.append(HTTPField(name: .signature, value: try dictionary.serialized()))
    }
}

extension MessageSignature: CustomStringConvertible, CustomReflectable {
    /// The key and the covered components.
    public var description: String { "\(key) over \(components.map(\.description).joined(separator: " "))" }
    public var customMirror: Mirror { Mirror(self, children: ["signature": description], displayStyle: .struct) }
}

extension HTTPField.Name {
    static let signature = known("Signature")
    static let signatureInput = known("Signature-Input")
    static let digestOfContent = known("Content-Digest")

    /// The fallback is never used, since the names are tokens.
    static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .eTag }
}

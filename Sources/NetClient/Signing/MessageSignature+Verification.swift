public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension MessageSignature {
    /// Verifies a signature of a response, and returns the components that it covers. Trust only those components:
    /// check that they include the ones that your program relies on. The body is trustworthy if
    /// ``Component/contentDigest`` is covered and the digest was compared, as `ContentDigestMiddleware` does.
    ///
    ///     let key = try SignatureKey(.ed25519, pem: .file("/etc/app/server-public.pem"), id: "server")
    ///     let response = try await client.raw(GetUser(id: 7))
    ///     let covered = try MessageSignature.verify(response.head, with: key, at: Date())
    ///     guard covered.contains(.status), covered.contains(.contentDigest) else { return }
    ///
    /// Throws `.authentication` if no signature has the label, if its algorithm or key ID isn't that of the key, if it
    /// has expired, if it covers a component that the response doesn't have, or if it is wrong.
    ///
    /// - Parameters:
    ///   - response: The head of the response.
    ///   - request: The request that the response belongs to, for components of the request. Default nil.
    ///   - key: The key of the server.
    ///   - label: The name of the signature. Default nil: the first signature with the key's ID.
    ///   - date: The current time.
    @discardableResult
    public static func verify(
        _ response: ResponseHead, to request: PreparedRequest? = nil, with key: SignatureKey, label: String? = nil,
        at date: Date
    ) throws(NetError) -> [Component] {
        try verify(
            SignatureBase(request: request, response: response), response.headers, with: key, label: label, at: date)
    }

    /// Verifies a signature of a message with the given headers.
    static func verify(
        _ message: SignatureBase, _ headers: HTTPFields, with key: SignatureKey, label: String?, at date: Date
    ) throws(NetError) -> [Component] {
        do {
            let inputs = try headers.structuredDictionary(.signatureInput)
            let signatures = try headers.structuredDictionary(.signature)
            for (name, member) in inputs {
                guard let list = member.innerList, label ?? name == name,
                    label != nil || list.parameters["keyid"]?.string == key.id
                else { continue }
                guard let signature = signatures[name]?.item?.value.byteSequence else { continue }
                try check(list.parameters, key, date)
                let components = list.items.map { Component($0) }
                let (base, _) = try message.text(components, parameters: list.parameters)
                guard key.verify(signature, of: base) else { throw refuse("the signature \(name) is wrong") }
                return components.map { $0 == Component("content-digest") ? .contentDigest : $0 }
            }
        } catch let error as NetError {
            throw error.code == .authentication ? error : refuse(error.message)
        } catch {
            throw refuse("the signatures can't be read: \(error)")
        }
        throw refuse("there is no signature with the key")
    }

    private static func check(
        _ parameters: StructuredField.Parameters, _ key: SignatureKey, _ date: Date
    ) throws(NetError) {
        if let name = parameters["alg"]?.string, name != key.algorithm.rawValue {
            throw refuse("the signature has another algorithm than the key")
        }
        if let end = parameters["expires"]?.integer, Double(end) < date.timeIntervalSince1970 {
            throw refuse("the signature has expired")
        }
    }

    private static func refuse(_ message: String) -> NetError {
        NetError(.authentication, phase: .validating, message: message)
    }
}

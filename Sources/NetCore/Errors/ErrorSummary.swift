#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An error whose description contains no secrets.
package protocol SecretlessError: Error, CustomStringConvertible {}

/// Describes errors from other code without their values, which may be secrets: a `DecodingError` quotes the value that
/// it couldn't decode, and a URL error its URL.
package enum ErrorSummary {
    /// Returns the description of an error of this library. For any other error, returns its kind and, if available,
    /// the place in the document, the case, or the domain and code. The error itself belongs in
    /// ``NetError/underlying``.
    package static func describe(_ error: any Error) -> String {
        switch error {
        case let error as any SecretlessError: error.description
        case is DecodingError: DecodingFailure.describe(error)
        case EncodingError.invalidValue(let value, let context): describe(value, context)
        case is CancellationError: "it was cancelled"
        // The runtime knows its domain only if all of Foundation is linked; in that case, any NSError casts to it.
        case let cocoa as CocoaError where type(of: error) == CocoaError.self:
            "CocoaError (NSCocoaErrorDomain \(cocoa.code.rawValue))"
        default: foreign(error)
        }
    }

    /// Returns the reason why a value couldn't be encoded, with its type and place.
    package static func describe(_ value: Any, _ context: EncodingError.Context) -> String {
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        let reason =
            switch (context.underlyingError, value) {
            case (let reason as DecodingFailure.Reason, _): reason.description
            case (_, let number as any BinaryFloatingPoint) where !number.isFinite: "the number is not finite"
            default: "the value cannot be encoded"
            }
        return "\(reason) (\(type(of: value)) at \(path.isEmpty ? "the top" : path))"
    }

    private static func foreign(_ error: any Error) -> String {
        let kind = String(describing: type(of: error))
        let mirror = Mirror(reflecting: error)
        let isOwnMirror = !(error is any CustomReflectable)
        switch mirror.displayStyle {
        // Without children, the error has no values that its description could quote.
        case .struct where isOwnMirror && mirror.children.isEmpty: return "\(error)"
        case .enum where isOwnMirror:
            guard let label = mirror.children.first?.label else { return "\(error)" }
            return "\(kind).\(label)"
        default: break
        }
        let domain = error._domain
        // Foundation's errors have a domain and a code; for other errors, the domain is the type's name.
        return domain == String(reflecting: type(of: error)) ? kind : "\(kind) (\(domain) \(error._code))"
    }
}

extension DecodingFailure.Reason: SecretlessError {}
extension UndeclaredResponse: SecretlessError {}
extension UnexpectedContent: SecretlessError {}
extension UnreadableJSON: SecretlessError {}
extension UnreadableText: SecretlessError {}
extension URITemplateError: SecretlessError {}

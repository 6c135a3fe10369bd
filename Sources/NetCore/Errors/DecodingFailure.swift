internal import HTTPTypes

/// Describes decoding errors in one sentence: the place in the document and the problem. Omits values, because they may
/// be secrets, and the error's own text, which often quotes them.
package enum DecodingFailure {
    /// The reason why a value is invalid, in words that don't contain the value. Descriptions include it if it is the
    /// underlying error of a `DecodingError`.
    package struct Reason: Error, CustomStringConvertible {
        package let description: String
    }

    /// Returns a description of an error in a whole body. If the body isn't JSON at all, the description names its
    /// media type or its content coding instead.
    package static func describe(_ error: any Error, head: ResponseHead, body: Bytes) -> String {
        if error is UnreadableText { return describe(error) + (contentCoding(of: head).map(notDecoded) ?? "") }
        guard case DecodingError.dataCorrupted(let context)? = error as? DecodingError, context.codingPath.isEmpty,
            !(context.underlyingError is Reason),
            (context.underlyingError as? UnreadableJSON)?.reason != .tooDeep
        else { return describe(error) }
        if body.isEmpty { return "the body is empty (status \(head.status.code))" }
        // Only the essence, because a header that isn't a media type may contain anything.
        let type = head.receivedType.flatMap { $0.isJSON ? nil : $0.essence }
        let coding = contentCoding(of: head)
        guard type != nil || coding != nil else { return describe(error) }
        return (type.map { "the body is \($0) and" } ?? "the body is")
            + " not valid JSON, or a number in it does not fit its type"
            + (coding.map(notDecoded) ?? "")
    }

    private static func notDecoded(_ coding: String) -> String {
        "; it has the Content-Encoding \(coding), which may not be supported here\(remedy(coding))"
    }

    private static func remedy(_ coding: String) -> String {
        ["br", "zstd"].contains(coding) ? ": the package's trait Compression adds it" : ""
    }

    /// Returns the name of a content coding that isn't supported here, if it can't contain a secret. Every transport
    /// decodes the supported ones.
    package static func contentCoding(of head: ResponseHead) -> String? {
        #if Compression
        let known: Set<String> = ["gzip", "x-gzip", "deflate", "identity", "br", "zstd"]
        #else
        let known: Set<String> = ["gzip", "x-gzip", "deflate", "identity"]
        #endif
        guard let name = head[.contentEncoding]?.lowercased(), !known.contains(name),
            name.count <= 16, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { return nil }
        return name
    }

    package static func describe(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return ErrorSummary.describe(error) }
        switch error {
        case .typeMismatch(let type, let context):
            return "\(place(context)) is not of type \(type)"
        case .valueNotFound(let type, let context):
            return "\(place(context)) is null or missing, expected \(type)"
        case .keyNotFound(let key, let context):
            return "\(place(context)) has no member \"\(key.stringValue)\""
        case .dataCorrupted(let context):
            if let reason = context.underlyingError as? Reason { return "\(place(context)) \(reason)" }
            if let problem = context.underlyingError as? UnreadableJSON { return problem.description }
            return context.codingPath.isEmpty
                ? "it is not valid JSON, or a number in it does not fit its type"
                : "\(place(context)) contains a value that its type doesn't accept"
        @unknown default:
            return "it cannot be decoded"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        guard !context.codingPath.isEmpty else { return "the document" }
        let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        return "$" + path.joined()
    }
}

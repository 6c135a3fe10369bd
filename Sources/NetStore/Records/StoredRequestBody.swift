package import NetCore

/// The known part of the body of a stored request.
///
/// A captured exchange without a body means that none was sent, unless a method that may have a body has counted bytes.
/// Without any capture, an empty body is only assumed if the server has accepted the request: a request that was
/// refused early, or that never reached the server, may have had one.
package enum StoredRequestBody: Sendable, Hashable {
    /// The request had no body.
    case none
    /// The whole body.
    case whole(Bytes)
    /// Nothing of the body, or only its beginning; the size of the whole body is nil if it isn't known.
    case partial(Bytes, size: Int64?)
    /// A file, which wasn't captured completely.
    case file(String, size: Int64?)

    /// Finds the body of an attempt.
    ///
    /// - Parameters:
    ///   - item: The call.
    ///   - attempt: The attempt; nil for a call that ended before its first one.
    ///   - captured: The captured content of the attempt; nil if nothing was captured.
    package init(of item: StoredItem, _ attempt: StoredAttempt?, _ captured: StoredExchange?) {
        if let body = captured?.request {
            if !body.isCut {
                self = .whole(body.bytes)
            } else if let file = body.file {
                self = .file(file, size: body.size)
            } else {
                self = .partial(body.bytes, size: body.size)
            }
            return
        }
        let method = attempt?.method ?? item.method ?? "GET"
        let isOfCall = method == item.method || attempt == nil
        let sizes = [attempt?.requestBytes, isOfCall ? item.requestBytes : nil].compactMap(\.self)
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method)
        let counted = captured == nil ? sizes.max() : isSafe ? nil : sizes.first
        let size = Self.declaredSize(captured?.requestHeaders ?? []) ?? counted
        if let size, size > 0 {
            self = .partial(Bytes(), size: size)
            return
        }
        let usuallyHasBody = ["POST", "PUT", "PATCH"].contains(method)
        let isAccepted = (attempt?.status ?? item.status).map { (200...299).contains($0) } ?? false
        let isEmpty = captured != nil && !Self.isChunked(captured?.requestHeaders ?? []) || size == 0 && isAccepted
        self = isEmpty || !usuallyHasBody ? .none : .partial(Bytes(), size: nil)
    }

    /// True if the captured bytes aren't the whole body.
    package var isIncomplete: Bool {
        switch self {
        case .none, .whole: false
        case .partial, .file: true
        }
    }

    private static func declaredSize(_ fields: [StoredExchange.Field]) -> Int64? {
        fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int64($0.value) }
    }

    private static func isChunked(_ fields: [StoredExchange.Field]) -> Bool {
        fields.contains { $0.name.lowercased() == "transfer-encoding" }
    }
}

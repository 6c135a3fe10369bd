internal import NetCore

/// A wire protocol's format for the errors that end a subscription or a connection.
enum GraphQLErrors {
    /// A list of GraphQL errors, as in `graphql-transport-ws`.
    case list
    /// One GraphQL error, as in the older `graphql-ws`.
    case single
    /// An object with a list of errors that have types, as in AppSync.
    case typed

    /// Encodes a failure. If its details are such errors with the same code and message, as in a failure that was
    /// received, they are written unchanged. Throws `.unsupported` if the details are bytes.
    func payload(_ failure: SocketFailure, by name: String) throws(NetError) -> SocketPayload {
        let details = try failure.details?.json(by: name)
        if let details, let slice = try? JSONSlice(details), slice.isArray == (self == .list) {
            let found = SocketFailure(graphQL: slice)
            if found.code == failure.code, found.message == failure.message { return SocketPayload(json: details) }
        }
        var error = "{"
        if self == .typed { error.appendMember("errorType", failure.code) }
        error.appendMember("message", failure.message)
        if self == .typed, let details {
            error.appendName("errorInfo")
            error += details
        } else if self != .typed {
            error.appendName("extensions")
            error += try failure.codedData(by: name)
        }
        error += "}"
        switch self {
        case .list: return SocketPayload(json: "[\(error)]")
        case .single: return SocketPayload(json: error)
        case .typed: return SocketPayload(json: "{\"errors\":[\(error)]}")
        }
    }
}

extension SocketFailure {
    /// Reads errors in any of these forms: code and message are those of the first error, and the details are the
    /// whole payload. The code is `error` if there is none.
    init(graphQL payload: JSONSlice?) {
        let errors = payload?["errors"] ?? payload
        let first = errors?.isArray == true ? (try? errors?.elements())?.first : errors
        let code = first?["extensions"]?["code"] ?? first?["errorType"] ?? first?["errorCode"]
        self.init(
            code?.nonNull?.string ?? code?.nonNull?.scalarText ?? "error",
            first?["message"]?.string ?? first?.string ?? "", details: payload?.payload)
    }
}

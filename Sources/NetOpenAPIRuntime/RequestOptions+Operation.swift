extension RequestOptions {
    /// Returns the options of an operation that a document declares: its `operationId`, its tags, the security schemes
    /// that it accepts, and the server that the document specifies for this operation.
    ///
    ///     let options: RequestOptions = .operation(
    ///         "getPet", tags: ["pets"], security: [["key": [], "app": []], ["oauth": ["read:pets"]]])
    ///
    /// - Parameter security: The alternatives, each with its schemes and their scopes. An empty list means that no
    ///   credential is needed; nil means that the document doesn't specify it.
    @_spi(Generated) public static func operation(
        _ identifier: String, tags: [String] = [], security: [KeyValuePairs<String, [String]>]? = nil,
        server: OperationServer? = nil
    ) -> RequestOptions {
        var options = RequestOptions(metadata: RequestMetadata(operationID: identifier, tags: tags))
        if let security {
            options.metadata.security =
                security.isEmpty
                ? SecurityRequirements.none
                : SecurityRequirements(alternatives: security.map { $0.map { .init($0.key, scopes: $0.value) } })
        }
        if let server { options.server = server }
        return options
    }
}

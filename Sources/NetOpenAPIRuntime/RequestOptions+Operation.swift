extension RequestOptions {
    /// Returns the options of an operation that a document declares: its `operationId`, its tags and security schemes, and
    /// the server that the document specifies for this operation.
    ///
    ///     let options: RequestOptions = .operation("getPet", tags: ["pets", "security:api_key"])
    @_spi(Generated) public static func operation(
        _ identifier: String, tags: [String] = [], server: OperationServer? = nil
    ) -> RequestOptions {
        var options = RequestOptions(metadata: RequestMetadata(operationID: identifier, tags: tags))
        if let server { options.server = server }
        return options
    }
}

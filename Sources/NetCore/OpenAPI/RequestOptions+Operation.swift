extension RequestOptions {
    /// The options of an operation that a document declares: its `operationId`, its tags and security schemes.
    ///
    ///     let options: RequestOptions = .operation("getPet", tags: ["pets", "security:api_key"])
    public static func operation(_ identifier: String, tags: [String] = []) -> RequestOptions {
        RequestOptions(metadata: RequestMetadata(operationID: identifier, tags: tags))
    }
}

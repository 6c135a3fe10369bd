// Written by scripts/check --update-api from docs/api. Do not edit.

extension ReservedNames {
    /// The types of the modules that generated code imports.
    static let runtime: Set<String> = [
        "ActivityBuffering", "ActivityEvent", "ActivityListener", "AlternativeService", "APIClient", "APIError",
        "APIRequest", "Authorization", "Backoff", "Baggage", "BaseURL", "BodyDelivery", "BodyEnd", "BodySource",
        "Boxed", "Bytes", "CachePolicy", "CalendarDate", "Call", "CallContext", "CallID", "CallIdentity", "CallPart",
        "CallSummary", "CallTrace", "Charset", "ConnectionConfiguration", "ConnectionOption", "ContentDisposition",
        "Credential", "DefaultCall", "FieldParameter", "FormEncoding", "FormFile", "FormPart",
        "HeadersBuilder", "HTTPDate", "HTTPTransport", "IdentitySource", "JSONCoding", "JSONFraming", "JSONKey",
        "JSONLines", "JSONValue", "LineParser", "LinkHeader", "MediaType", "MemberVisitor", "Middleware",
        "MultipartForm", "MultipartParser", "MultipartParts", "NetClock", "NetCore", "NetError", "NetOpenAPIRuntime",
        "NetRandom", "NetworkAccess", "Next", "Nullable", "ObjectMembers", "OpenCircuit", "OpenEnum", "OperationServer",
        "OperationServers", "PageSequence", "Paging", "ParameterFields", "ParameterStyle", "Path", "PEM",
        "PreparedRequest", "ProblemDetails", "ProxyConfiguration", "ProxyServer", "QueryBuilder", "QueryDateStyle",
        "QueryEncoder", "QueryItem", "ReconnectDecision", "ReconnectPolicy", "RedactionPolicy", "Redirect",
        "RedirectDecision", "RedirectPolicy", "RejectableRequest", "RejectedResponse", "Request", "RequestBody",
        "RequestMetadata", "RequestOptions", "RequestPriority", "Response", "ResponseBody", "ResponseHead",
        "ResponseSerializer", "RetryDecision", "RetryEligibility", "RetryPolicy", "SchemaMembers", "SchemaObject",
        "SerializationContext", "ServerSentEvent", "ServerSentEventParser", "ServerSentEvents", "StatusValidation",
        "StreamedResponse", "StructuredField", "StructuredFieldError", "Timeouts", "TLSConfiguration", "TraceContext",
        "TraceParent", "TraceState", "TransferMetrics", "TransferPhases", "TransferProgress", "TransportFeatures",
        "UndeclaredMembers", "UndeclaredResponse", "UnionDecoder", "UnixSocket", "UnreadableJSON", "URITemplate",
        "URITemplateError", "WebSocketCloseCode", "WebSocketClosure", "WebSocketLink", "WebSocketMessage",
        "WebSocketOpening", "WebSocketOptions", "WebSocketRequest", "WebSocketTransport", "Weighted",
    ]
}

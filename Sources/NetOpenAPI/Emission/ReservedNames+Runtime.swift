// Written by scripts/check --update-api from docs/api. Do not edit.

extension ReservedNames {
    /// The types of the modules that generated code imports.
    static let runtime: Set<String> = [
        "ActivityBuffering", "ActivityEvent", "ActivityInterest", "ActivityListener", "AlternativeService", "APIClient",
        "APIError", "APIRequest", "Authorization", "Backoff", "Baggage", "BaseURL", "BodyDelivery", "BodyEnd",
        "BodySource", "Boxed", "Bytes", "CachePolicy", "CalendarDate", "Call", "CallContext", "CallID", "CallIdentity",
        "CallPart", "CallSummary", "CallTrace", "CapturedAttempt", "CapturedBody", "CapturedExchange",
        "CapturedSocketMessage", "CaptureLimits", "Charset", "ConfiguredRequest", "ConnectionConfiguration",
        "ConnectionOption", "ContentDisposition", "Credential", "DefaultCall", "FieldParameter", "FilePathConvertible",
        "FormEncoding", "FormFile", "FormPart", "HeadersBuilder", "HTTPDate", "HTTPTransport", "IdentitySource",
        "JobActivity", "JSONCoding", "JSONFraming", "JSONKey", "JSONLines", "JSONValue", "LineParser", "LinkHeader",
        "MediaType", "MemberVisitor", "MessageCompression", "Middleware", "MissedPushes", "MultipartForm",
        "MultipartParts", "NetClock", "NetCore", "NetError", "NetOpenAPIRuntime", "NetRandom", "NetworkAccess",
        "NetworkStatus", "NetworkStatusProvider", "Next", "Nullable", "ObjectMembers", "OpenCircuit", "OpenEnum",
        "OperationServer", "OperationServers", "PageSequence", "Paging", "ParameterFields", "ParameterStyle", "Path",
        "PEM", "PreparedRequest", "ProblemDetails", "ProxyConfiguration", "ProxyServer", "QueryBuilder",
        "QueryDateStyle", "QueryEncoder", "QueryItem", "QueryItems", "ReconnectPolicy", "ReconnectTable",
        "RedactionPolicy", "Redirect", "RedirectPolicy", "RejectableRequest", "RejectedResponse", "Request",
        "RequestBody", "RequestMetadata", "RequestOptions", "RequestPriority", "Response", "ResponseBody",
        "ResponseHead", "ResponseSerializer", "RetryEligibility", "RetryPolicy", "SchemaMembers", "SchemaObject",
        "SerializationContext", "ServerSentEvent", "ServerSentEventParser", "ServerSentEvents", "SessionActivity",
        "SocketEvent", "SocketServerActivity", "StatusValidation", "StreamedResponse", "StructuredField",
        "StructuredFieldError", "Timeouts", "TLSConfiguration", "TraceContext", "TraceParent", "TraceState",
        "TransferMetrics", "TransferPhases", "TransferProgress", "UndeclaredMembers", "UndeclaredResponse",
        "UnionDecoder", "UnixSocket", "UnreadableJSON", "URITemplate", "URITemplateError", "URLConvertible",
        "WebSocketCloseCode", "WebSocketClosure", "WebSocketCompression", "WebSocketLink", "WebSocketLiveness",
        "WebSocketMessage", "WebSocketOpening", "WebSocketOptions", "WebSocketRequest", "WebSocketTransport",
        "Weighted",
    ]
}

// Written by scripts/check --update-api from docs/api. Do not edit.

extension ReservedNames {
    /// The types of the modules that generated code imports.
    static let runtime: Set<String> = [
        "ActivityBuffering", "ActivityEvent", "ActivityInterest", "ActivityListener", "AlternativeService", "APIClient",
        "APIError", "APIRequest", "AttemptCause", "AttemptCounts", "Authorization", "Backoff", "Baggage", "BaseURL",
        "BodyDelivery", "BodyEnd", "BodySource", "Boxed", "Bytes", "CachePolicy", "CalendarDate", "Call", "CallContext",
        "CallID", "CallIdentity", "CallPart", "CallSummary", "CallTrace", "CapturedAttempt", "CapturedBody",
        "CapturedExchange", "CapturedSocketMessage", "CaptureLimits", "Charset", "CloseFrameCode", "ConfiguredRequest",
        "ConnectionConfiguration", "ConnectionOption", "ContentDisposition", "Credential", "DecimalText", "DefaultCall",
        "DocumentExample", "FieldParameter", "FilePathConvertible", "FinishedAttempt", "FormEncoding", "FormFile",
        "FormPart", "HeadersBuilder", "HostConnections", "HTTPDate", "HTTPTransport", "IdentitySource", "JobActivity",
        "JSONCoding", "JSONFraming", "JSONKey", "JSONLines", "JSONValue", "LineParser", "LinkedRequest", "LinkHeader",
        "LinkSource", "MediaType", "MemberVisitor", "MessageCompression", "Middleware", "MissedPushes", "MultipartForm",
        "MultipartParts", "NetClock", "NetCore", "NetError", "NetOpenAPIRuntime", "NetRandom", "NetworkAccess",
        "NetworkStatus", "NetworkStatusProvider", "Next", "Nullable", "OAuthFlow", "ObjectMembers", "OpenCircuit",
        "OpenEnum", "OperationRouter", "OperationServer", "OperationServers", "PagedRequest", "PageSequence", "Paging",
        "ParameterFields", "ParameterStyle", "Path", "PEM", "PreparedRequest", "ProblemDetails", "ProposedRedirect",
        "ProxyConfiguration", "ProxyServer", "QueryBuilder", "QueryDateStyle", "QueryEncoder", "QueryItem",
        "QueryItems", "ReceivedFault", "ReceivedRequest", "ReconnectPolicy", "ReconnectTable", "RedactionPolicy",
        "Redirect", "RedirectChoice", "RedirectPolicy", "RejectableRequest", "RejectedResponse", "Request",
        "RequestBody", "RequestMetadata", "RequestOptions", "RequestPriority", "Response", "ResponseBody",
        "ResponseHead", "ResponseSerializer", "RetryChoice", "RetryEligibility", "RetryPolicy", "SchemaMembers",
        "SchemaObject", "SecurityRequirements", "SecurityScheme", "SerializationContext", "ServableRequest",
        "ServerFault", "ServerOperation", "ServerReply", "ServerRequest", "ServerResponse", "ServerSentEvent",
        "ServerSentEventParser", "ServerSentEvents", "SessionActivity", "SocketEvent", "SocketServerActivity",
        "StatusValidation", "StreamedResponse", "StructuredField", "StructuredFieldError", "TextCoded", "Timeouts",
        "TLSConfiguration", "TraceContext", "TraceParent", "TraceState", "TransferMetrics", "TransferPhases",
        "TransferProgress", "UndeclaredMembers", "UndeclaredResponse", "UnionDecoder", "UnixSocket", "UnreadableJSON",
        "URITemplate", "URITemplateError", "URLConvertible", "WebSocketCloseCode", "WebSocketClosure",
        "WebSocketCompression", "WebSocketLink", "WebSocketLiveness", "WebSocketMessage", "WebSocketOpening",
        "WebSocketOptions", "WebSocketRequest", "WebSocketTransport", "Weighted",
    ]
}

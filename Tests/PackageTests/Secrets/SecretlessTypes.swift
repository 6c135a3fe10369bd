/// The public types that are not planted, by the reason why they show no secret.
enum SecretlessTypes {
    static let reasons: [String: [String]] = [
        "a choice, a number, a time or a limit": choices,
        "names, hosts, paths of files and other places": places,
        "content that the app made or asked for: it's printed to be read, and secrets in it have no name": content,
        "values of the app's own types, which print themselves": values,
        "only closures, or a counter": closures,
        "made of events, whose URLs and errors are redacted when they are made": events,
        "rules and findings of a test, written to be read; those that hold a request or a stub print it without secrets":
            tests,
        "documents and code of a generator": documents,
        "lives only while a value is encoded or decoded": coders,
    ]

    private static let choices = [
        "NetCore.SocketEvent.Side", "NetCore.SocketServerActivity.Command.Executor",
        "NetCore.SocketServerActivity.Drop",
        "NetCore.SocketServerActivity.Outcome", "NetCore.SocketServerActivity.Refusal", "NetObserve.SocketServerLog",
        "NetSocketCore.SocketWire.ServerHeartbeat", "NetSocketServer.FanOutRetention",
        "NetSocketServer.MemoryFanOut.Configuration", "NetSocketServer.SlowClientPolicy",
        "NetSocketServer.SocketExecutor", "NetSocketServer.SocketOrder", "NetSocketServer.SocketRateLimit",
        "NetSocketServer.SocketServerConfiguration", "NetSocketServer.SocketServerLimits",
        "NetSocketServer.SocketServerLimits.Excess", "NetSocketServer.SocketServerMetrics",
        "NetSocketServer.TrustedProxies.Header",
        "NetSocket.SocketAttempt", "NetSocket.SocketBuffer", "NetSocketCore.ChannelPosition",
        "NetCore.MissedPushes", "NetSocketCore.NoResponse", "NetSocketCore.OfflineRule", "NetSocketCore.SocketID",
        "NetSocketCore.SocketWire.Features", "NetSocketCore.WebSocketRole", "NetSocketCore.SocketChannelState",
        "NetSocketCore.SocketDelivery", "NetSocketCore.WireRefusals", "NetSocketCore.WireResumed",
        "NetSocket.SocketConnecting", "NetSocket.SocketNegotiation", "NetSocket.SocketRegistration",
        "NetSocket.SocketTicket",
        "NetCore.NetworkStatus", "NetCore.NetworkStatus.Interface", "NetCore.NetworkStatus.Reachability",
        "NetCore.NetworkStatusFeed", "NetCore.ReconnectTable", "NetCore.ReconnectTable.Action",
        "NetCore.ReconnectTable.Entry",
        "NetCore.ActivityInterest", "NetCore.MessageCompression", "NetCore.WebSocketCompression",
        "NetCore.WebSocketCompression.Direction", "NetCore.WebSocketMessage.Kind",
        "NetCore.ActivityBuffering", "NetCore.ActivityEvent.CacheDecision",
        "NetCore.ActivityEvent.CacheDecision.Action",
        "NetCore.ActivityEvent.CacheDecision.Reason", "NetCore.Backoff", "NetCore.Backoff.Jitter",
        "NetCore.BodyDelivery",
        "NetCore.CachePolicy", "NetOpenAPIRuntime.CalendarDate", "NetCore.CallID", "NetCore.CallTrace.Retry",
        "NetCore.Charset", "NetHTTP.CircuitBreakerMiddleware.Policy",
        "NetCore.OpenCircuit.Trip",
        "NetCore.ConnectionConfiguration.AddressFamily", "NetCore.ConnectionOption", "NetClient.Cookie.SameSite",
        "NetHTTP.DigestAlgorithm", "NetClient.DigestChallenge.Algorithm", "NetClient.DigestChallenge.Protection",
        "NetOpenAPIRuntime.FormEncoding", "NetCore.HTTPDate", "NetCore.JSONFraming",
        "NetCore.NetError.Code", "NetCore.NetError.Phase", "NetCore.NetworkAccess", "NetCore.NetworkAccess.Scope",
        "NetOpenAPIRuntime.ParameterStyle", "NetCore.PreparedRequest.CurlStyle", "NetCore.ProxyServer.Authentication",
        "NetCore.QueryDateStyle", "NetCore.QueryEncoder", "NetCore.QueryEncoder.ArrayStyle",
        "NetCore.QueryEncoder.NestingStyle", "NetClient.RateLimit",
        "NetCore.ReconnectPolicy",
        "NetCore.RedirectPolicy", "NetCore.RequestPriority", "NetCore.RetryBudget",
        "NetCore.RetryEligibility", "NetCore.RetryPolicy", "NetCore.TLSConfiguration.Version", "NetCore.Timeouts",
        "NetCore.TransferMetrics", "NetCore.TransferPhases", "NetCore.TransferProgress",
        "NetCore.TransferProgress.Kind",
        "NetCore.TraceParent", "NetCore.TraceParent.TraceID", "NetCore.URITemplateError",
        "NetCore.URITemplateError.Code",
        "NetCore.UndeclaredResponse", "NetCore.UnreadableJSON", "NetCore.UnreadableJSON.Reason",
        "NetCore.WebSocketCloseCode", "NetHTTP.AdaptiveTimeoutMiddleware",
        "NetHTTP.CacheControl", "NetHTTP.CacheControl.Directive", "NetHTTP.CacheEntry.ID",
        "NetHTTP.CircuitBreakerMiddleware", "NetHTTP.CompressionMiddleware", "NetHTTP.CompressionMiddleware.Coding",
        "NetClient.ConcurrencyLimitMiddleware", "NetHTTP.ContentDigestMiddleware",
        "NetHTTP.CurlTransport.Configuration.Version",
        "NetHTTP.CurlTransport.Statistics", "NetHTTP.EventSource.Configuration", "NetHTTP.EventSource.ReadyState",
        "NetHTTP.HedgingMiddleware", "NetObserve.LoggingMiddleware.Detail", "NetClient.OAuthClient.Proof",
        "NetClient.RateLimitMiddleware", "NetHTTP.RetryMiddleware", "NetClient.TracePropagationMiddleware",
        "NetTestServer.ClosedPort", "NetTestServer.ServerStatistics",
        "NetTestServer.TCPProxy", "NetTestServer.TCPProxy.Configuration", "NetTestServer.TCPProxy.Cut",
        "NetTestServer.TCPProxy.Direction", "NetTestServer.TCPProxy.Statistics", "NetTesting.BytePattern",
        "NetTesting.ConnectionDrop", "NetTesting.ConnectionDrop.Form", "NetTesting.ConnectionDrop.Point",
        "NetTesting.ContractLatency", "NetTesting.Fault", "NetTesting.Fault.Length", "NetTesting.Fault.TLS",
        "NetTesting.FaultSchedule", "NetTesting.ReplayEnvironment", "NetTesting.ReplayRules",
        "NetTesting.ReplayRules.Part",
        "NetTesting.ReplayTransport.Mode", "NetTesting.ReplayTransport.Timing", "NetTesting.SeededRandom",
        "NetTesting.TestClock", "NetTesting.TooManyWakeups",
    ]

    private static let places = [
        "NetSocketServer.OriginPolicy", "NetSocketServer.SocketServerAddress", "NetSocketServer.SocketServerTLS",
        "NetSocketServer.TrustedProxies",
        "NetHTTP.AltSvcList", "NetHTTP.AltSvcList.Entry", "NetCore.AlternativeService",
        "NetCore.ConnectionConfiguration",
        "NetCore.ConnectionConfiguration.LocalAddress", "NetCore.ConnectionConfiguration.Override",
        "NetCore.ContentDisposition", "NetClient.CredentialPlacement", "NetClient.CredentialScope",
        "NetClient.HSTSList", "NetClient.HSTSList.Entry",
        "NetCore.MediaType", "NetCore.OpenCircuit", "NetCore.Path", "NetCore.MediaType.Parameter",
        "NetClient.PublicSuffixes",
        "NetCore.RedactionPolicy",
        "NetCore.RedactionPolicy.PathRule", "NetCore.RequestMetadata", "NetCore.UnixSocket", "NetHTTP.AltSvcMiddleware",
        "NetHTTP.AltSvcStore", "NetHTTP.DiskCacheStore", "NetClient.HSTSMiddleware", "NetClient.HSTSStore",
        "NetTestServer.TestServer.TLS", "NetTestServer.TestServerError",
    ]

    private static let content = [
        "NetCore.Baggage", "NetCore.Baggage.Member", "NetCore.JSONKey",
        "NetCore.Path.StringInterpolation", "NetCore.StructuredField", "NetCore.StructuredField.BareItem",
        "NetCore.StructuredField.InnerList", "NetCore.StructuredField.Item", "NetCore.StructuredField.List",
        "NetCore.StructuredField.Member", "NetCore.StructuredField.OrderedMap", "NetCore.StructuredFieldError",
        "NetCore.TraceContext", "NetCore.TraceState", "NetCore.TraceState.Entry", "NetCore.URITemplate",
        "NetCore.URITemplate.Value", "NetCore.WebSocketClosure", "NetCore.Weighted",
    ]

    private static let values = [
        "NetSocketServer.SocketIdentity",
        "NetOpenAPIRuntime.Boxed", "NetOpenAPIRuntime.Nullable", "NetHTTP.RequestStore", "NetHTTP.RequestTasks",
    ]

    private static let closures = [
        "NetSocketServer.MemoryFanOut", "NetSocketServer.SocketEvents",
        "NetSocketCore.SocketWire",
        "NetCore.SocketRecorder", "NetCore.WebSocketLiveness", "NetCore.WebSocketLiveness.Probe",
        "NetCore.OperationServers",
        "NetCore.HeadersBuilder", "NetCore.JSONCoding", "NetCore.NetClock", "NetCore.NetRandom", "NetCore.Next",
        "NetCore.ProgressObserver", "NetCore.QueryBuilder", "NetCore.ResponseSerializer",
        "NetCore.SerializationContext",
        "NetCore.StatusValidation", "NetCore.TraceListener", "NetHTTP.CacheMiddleware.Configuration",
        "NetHTTP.IdempotencyKeyMiddleware", "NetTesting.LeakCheck",
    ]

    private static let events = [
        "NetCore.SocketServerActivity", "NetCore.SocketServerActivity.Command", "NetCore.SocketServerActivity.Kind",
        "NetCore.SocketServerActivity.Opening",
        "NetCore.SessionActivity", "NetCore.SessionActivity.Command", "NetCore.SessionActivity.Failure",
        "NetCore.SessionActivity.Kind",
        "NetCore.SocketEvent", "NetCore.SocketEvent.Direction", "NetCore.SocketEvent.Ending",
        "NetCore.SocketEvent.Frame",
        "NetCore.SocketEvent.Frame.Kind", "NetCore.SocketEvent.Kind", "NetCore.SocketEvent.Opening",
        "NetCore.SocketEvent.Total",
        "NetObserve.Metric", "NetObserve.Metric.Kind", "NetObserve.MetricLabel", "NetObserve.MetricsListener",
        "NetObserve.PrometheusMetrics", "NetObserve.StatsDMetrics", "NetObserve.SwiftMetricsSink",
        "NetStore.ActivityReader",
        "NetStore.ActivityStore", "NetStore.ActivityStore.Configuration", "NetStore.AttemptPhases",
        "NetStore.AttemptRecord",
        "NetStore.CallCursor", "NetStore.CallDetail", "NetStore.CallFilter", "NetStore.CallOutcome",
        "NetStore.CallRecord",
        "NetStore.EventRecord", "NetStore.EventRecord.Kind", "NetStore.OperationStatistics", "NetStore.SessionRecord",
        "NetStore.SlowCall", "NetStore.StoreError", "NetStore.StoreError.Code", "NetStore.StoredFailure",
        "NetStore.WriterStatistics",
    ]

    private static let tests = [
        "NetTesting.WebSocketFaults", "NetTesting.WebSocketFaults.Direction", "NetTesting.WebSocketFaults.Failure",
        "NetTesting.WebSocketFaults.Point", "NetTesting.WebSocketPair", "NetTesting.WebSocketPair.Configuration",
        "NetTesting.WebSocketPair.Configuration.End",
        "NetTestOpenAPI.OpenAPIFinding", "NetTestOpenAPI.OpenAPIFinding.Kind", "NetTestOpenAPI.OpenAPINotKept",
        "NetTestOpenAPI.OpenAPIReport", "NetTestOpenAPI.OpenAPIReport.Fault", "NetTestOpenAPI.OpenAPIServer",
        "NetTestOpenAPI.OpenAPIValidator", "NetTestOpenAPI.OpenAPIValidator.RecordedFindings",
        "NetTestTraits.CassetteSuiteTrait", "NetTestTraits.CassetteTrait", "NetTestTraits.OfflineTrait",
        "NetTestServer.ContractServer", "NetTesting.BodyMatcher", "NetTesting.Contract.Failure",
        "NetTesting.ContractReport.Match", "NetTesting.ContractViolation.Kind", "NetTesting.JSONPath",
        "NetTesting.Leaks", "NetTesting.PartMatcher",
        "NetTesting.PathTemplate", "NetTesting.Stub.Scenario", "NetTesting.StubBodyReader",
        "NetTesting.StubBodyReader.AsyncIterator", "NetTesting.StubSource", "NetTesting.ValueMatcher",
    ]

    private static let documents = [
        "NetOpenAPI.APIChange", "NetOpenAPI.APIChanges", "NetOpenAPI.Diagnostic", "NetOpenAPI.Diagnostic.Severity",
        "NetOpenAPI.Document", "NetOpenAPI.DocumentFilter", "NetOpenAPI.DocumentLoader", "NetOpenAPI.GeneratedFile",
        "NetOpenAPI.Generator", "NetOpenAPI.GeneratorConfiguration", "NetOpenAPI.GeneratorConfiguration.AccessLevel",
        "NetOpenAPI.GeneratorResult", "NetOpenAPI.GeneratorStatistics", "NetOpenAPI.Node", "NetOpenAPI.Node.Member",
        "NetOpenAPI.Node.Value", "NetOpenAPI.ReferenceResolver", "NetOpenAPI.ResolvedReference",
        "NetOpenAPI.SourcePosition", "NetOpenAPI.SpecificationVersion",
    ]

    private static let coders = [
        "NetOpenAPIRuntime.MemberVisitor", "NetOpenAPIRuntime.ObjectMembers", "NetOpenAPIRuntime.UnionDecoder",
    ]
}

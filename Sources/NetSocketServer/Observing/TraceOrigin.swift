#if Server
#if Tracing
internal import Tracing
#endif

/// The trace context of a connection's handshake; empty without the trait `Tracing`.
struct TraceOrigin: Sendable {
    #if Tracing
    var context: ServiceContext?
    #endif
}
#endif

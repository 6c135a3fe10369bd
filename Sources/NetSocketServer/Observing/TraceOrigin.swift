#if Server
#if Tracing
internal import Tracing
#endif

/// The position in a trace that the handshake of a connection came from; nothing without the trait `Tracing`.
struct TraceOrigin: Sendable {
    #if Tracing
    var context: ServiceContext?
    #endif
}
#endif

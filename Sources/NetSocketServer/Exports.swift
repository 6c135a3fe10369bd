#if Server
@_exported public import NetObserve
@_exported public import NetSocketCore
#endif

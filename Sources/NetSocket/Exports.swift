@_exported public import NetClient
@_exported public import NetCore
@_exported public import NetObserve
@_exported public import NetSocketCore

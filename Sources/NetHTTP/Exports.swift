// Requests, responses, cookies, credentials and logging are what users of the client work with: one import is enough.
@_exported public import NetClient
@_exported public import NetCore
@_exported public import NetObserve

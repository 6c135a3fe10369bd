// Users of the client need requests, responses, cookies, credentials and logging: one import is enough.
@_exported public import NetClient
@_exported public import NetCore
@_exported public import NetObserve

// Requests, responses and errors are what a user of the client works with: one import brings them.
@_exported public import NetCore
